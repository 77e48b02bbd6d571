"""What a user states in passing: no question, no task of the moment, and no output.

Nobody can list the words of every rule: "Fridays are frozen", "the client reads this too". So what
is neither asked nor ordered is kept as well, below what is known to be a rule, while there is room.
"""

# ruff: noqa: E501 - one language's words stay on one line

from __future__ import annotations

import re

from aish.core.context.small_talk import (
    is_comment,
    is_greeting,
    is_news,
    is_output,
    is_unmarked_question,
)
from aish.core.context.task_words import is_task, is_task_elsewhere
from aish.core.patterns import late

LEAST_CHARS, MOST_CHARS = 12, 300
_LEAST_WORDS = 8  # characters of two words: "UTC times."
_LEAST_TOGETHER = 4  # letters of a script that does not part its words
_LEAST_TERSE = 3  # of them in a rule as short as can be
_CHEAP = 24  # characters
_LETTERS = 0.72  # of a sentence; logs, paths and code have fewer
_TOGETHER = "\u0e00"  # from here on scripts do not part their words, or hardly
# The vowel signs of scripts from India to Burma are part of a word and no letters.
_WORD = re.compile(
    r"(?:[^\W\d_]|[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u109f\u1780-\u17d3])+"
)
_NUMBER = re.compile(r"\d[\d.,:/-]*\d|\d")
_NO_SENTENCE = re.compile(r"\s*[^\w\s\"'«“„¿¡(*•-]|[\w.-]+[:=/]\S|\d{2,4}[-/:]")
_CODE = re.compile(
    r"[{};]\s*$|\w\(|=>|->|::|^\s*(?:def|class|import|from|return|const|let|var|fn|func)\b|\b0x"
)

# Words that make a statement rather a rule: all and none, conditions, permission, manner, mistakes, what matters.
_HINTS = (
    r"nobody|no one|nothing|none of|any(?:thing|one|body)?|every\w*|all|each|if|when|while|as long as|until|till|once|without|first|before|after|"
    r"nowhere|elsewhere|otherwise|others?|rest|twice|comes? first|by the way|btw|permission|approval|approved?|sign[- ]off|answers?|reply|replies|speak|talk|brief|short|in words|format|style|treat|hold off|wait|skip|careful|"
    r"sorry|typo|misspoke|mistaken|my bad|make (?:that|it)|retired|deprecated|renamed|after all|anymore|any more|point is|matters?|focus|priority|really|next up|drop|enough|done with|plan|"
    r"frozen|freeze|sacred|taboo|private|confidential|hate|love|like|want|need|we (?:use|run|have|are|stay)|i am|i['’]m|my|our|"
    r"nirgends|sonst|andere\w*|vorrang|nichts|niemand|alle[sn]?|jede\w*|wenn|falls|solange|bis|sobald|ohne|erst|zuerst|vorher|übrigens|erlaubnis|okay|freigabe|antworte\w*|knapp|kurz|höflich|format|warte|tabu|heilig|vorsichtig|vertan|tippfehler|quatsch|sorry|"
    r"mir geht es|vor allem|hauptsache|konzentrieren|reicht|genügt|lass|mach daraus|heißt|höchstens|mindestens|gehör\w+|wir (?:sind|haben|nutzen)|mein\w*|unser\w*|"
    r"ailleurs|sinon|les autres|rien|personne|tous|toute?s?|tout|chaque|si|quand|tant que|jusqu\w*|sans|d['’]abord|avant|après|au fait|permission|accord|réponds?|brièvement|poli|format|attends?|sacrée?s?|trompée?|pardon|coquille|"
    r"ce qui compte|l['’]essentiel|suffit|laisse|s['’]appelle|aucune?|on (?:utilise|passe|ne|est|reste)|mon|ma|mes|notre|nos|"
    r"demás|otros|nada|nadie|todo[s]?|toda[s]?|cada|si|cuando|mientras|hasta|sin|primero|antes|después|por cierto|permiso|responde|brevemente|pocas palabras|educado|formato|espera|intocable|sagrad[oa]|equivoqué|perdón|errata|"
    r"lo que importa|lo importante|basta|deja|se llama|ningún|ninguna|nuestr[oa]s?|mi|mis|"
    r"остальн\w+|друг\w+|можно|нет|сперва|ничего|никто|вс[её]|все|кажд\w+|если|когда|пока|до|без|сначала|прежде|после|кстати|разрешени\w+|согласуй|отвечай|коротко|вежливо|формат\w*|подожди|неприкосновенн\w+|ошибся|ошиблась|извини|опечатка|"
    r"главное|важнее|хватит|достаточно|называется|план|наш\w*|мо[йяёи]|"
    r"altrove|altri|nulla|niente|nessuno|tutt[oaie]|ogni|quando|finché|senza|prima|dopo|comunque|scusa|sbagliato|basta|nostr[oa]|"
    r"nada|ninguém|tudo|enquanto|até|sem|primeiro|depois|aliás|desculpe?|errei|basta|noss[oa]"
)
_HINT = late(
    rf"(?<!\w)(?:{_HINTS})(?!\w)"
    "|凡是|所有|任何|谁都|都|如果|要是|当|除非|直到|等|先|再|之前|之后|顺便|同意|批准|许可|回答|简短|客气|格式|动不得|碰不得|小心|说错|笔误|抱歉|搞错|关键|重点|主要|就够|够了|计划|叫做|我们|我的"
    "|すべて|全部|誰も|もし|場合|まで|まず|ちなみに|許可|短く|間違え|すみません|重要|十分|私の|うちの|모든|아무도|만약|때까지|먼저|참고로|허락|짧게|실수|죄송|중요|충분|우리"
)
# A path, an address or a name in code of which something is said.
_NAMED = late(
    r"(?:`[^`]+`|[~\w.-]*[/:@][\w./:@~-]*|\d+(?:\.\d+){1,3}) (?=[^\W\d_]+ \w)", re.IGNORECASE
)
_CALLED = late(r"`[^`]*`|\b[\w.]+\(\)")  # names in code
# What a very short rule begins with; and what is said in as few words and is none.
_TERSE = late(
    r"(?:no|not|be|in|with|without|less|more|fewer|on|as|by|metric|kein\w*|nicht|ohne|sei|auf|mit|weniger|mehr|pas|sans|en|sois|moins|plus|sin|nada|con|sé|más|menos|sem|com|seja|senza|sii|più|meno|без|по|на|с|bez|po|na|geen|op|uten|utan|med) "
    r"(?!thanks|idea|yet|now|problem|worries|way|sure|it|that|this|one|joke|good|a sec|gracias|merci|problema)|[用说讲講說简簡少多]"
)


def sounds_lasting(said: str) -> bool:
    """Whether a statement sounds like something that is to hold; a short one is cheap to keep."""
    lower = said.lower()
    if is_comment(lower) or is_task_elsewhere(lower):
        return False
    if _HINT.search(lower) is not None or _TERSE.match(lower) is not None:
        return True
    return LEAST_CHARS <= len(said) <= _CHEAP and not is_news(lower)


def is_passing(said: str) -> bool:
    """Whether a statement is probably of the moment: what happened, or is to be done now."""
    lower = said.lower()
    return is_news(lower) or is_comment(lower) or is_task_elsewhere(lower)


def is_statement(said: str) -> bool:
    """Whether a sentence, no question, states something that may hold later."""
    lower = said.lower()
    if len(said) > MOST_CHARS or not _long_enough(said, lower):
        return False
    if is_greeting(lower) or is_unmarked_question(lower) or is_output(lower):
        return False
    named = _NAMED.match(said)
    rest = _CALLED.sub("that", f"That {said[named.end() :]}" if named else said)
    if _NO_SENTENCE.match(rest) or _CODE.search(rest) or not _mostly_words(rest):
        return False
    return not is_task(rest.lower())


def _long_enough(said: str, lower: str) -> bool:
    words = _WORD.findall(said)
    if said >= _TOGETHER:
        return sum(map(len, words)) >= (_LEAST_TERSE if _TERSE.match(lower) else _LEAST_TOGETHER)
    return len(words) > 1 and (len(said) >= _LEAST_WORDS or _TERSE.match(lower) is not None)


def _mostly_words(said: str) -> bool:
    """Whether a sentence is words rather than output; one number in it is as good as a word."""
    numbers = _NUMBER.findall(said)
    spared = len(numbers[0]) if len(numbers) == 1 else 0
    letters = sum(map(len, _WORD.findall(said)))
    part = _LETTERS if said < _TOGETHER else 0.5
    return letters + said.count(" ") + spared >= part * len(said)
