"""What a user states in passing: no question, no task of the moment, and no output.

Nobody can list the words of every rule: "Fridays are frozen", "the client reads this too". So what
is neither asked nor ordered is kept as well, below what is known to be a rule, while there is room.
"""

# ruff: noqa: E501 - one language's words stay on one line

from __future__ import annotations

import re

from aish.core.patterns import late

LEAST_CHARS, MOST_CHARS = 12, 300
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
_TYPOGRAPHY = str.maketrans("", "", "“”‘’„«»–—…·•→✓")
_NO_SENTENCE = re.compile(r"\s*[^\w\s\"'«“„¿¡(*•-]|[\w.-]+[:=/]\S|\d{2,4}[-/:]")
_CODE = re.compile(
    r"[{};]\s*$|\w\(|=>|->|::|^\s*(?:def|class|import|from|return|const|let|var|fn|func)\b|\b0x"
)

# What a sentence begins with that is to be done now and is then done with.
_LEAD = (
    r"(?:(?:please|pls|now|and|then|ok(?:ay)?|so|next|also|just|great|good|thanks|now then|"
    r"bitte|nun|dann|und|jetzt|gut|danke|alors|maintenant|et|puis|merci|ahora|luego|y|entonces|gracias|"
    r"теперь|потом|и|затем|спасибо|пожалуйста|请|现在|然后|再|那|帮我|麻烦)[\s,:：，]*)*"
)
_TASKS = (
    r"(?P<english>(?:show|list|find|rename|run|explain|fix|add|write|create|check|open|install|print|count|search|grep|look|tell me (?:what|why|how|which|where|who|about)|describe|compare|summari[sz]e|"
    r"convert|copy|move|delete|remove|download|build|compile|test|deploy|restart|start|update|generate|refactor|implement|debug|give me|read|go (?:on|ahead)|continue|try|get|see|do (?:it|that|this)|"
    r"thank|thanks|hello|hi|hey|help me|can you|could you|would you|will you|translate|draw|sort|merge|commit|push|pull|clone|extract|rewrite|review|walk me|plot|parse|lint|format|kill)\b)|"
    r"(?:zeige?|liste|finde?|suche?|benenne|führe?|erkläre?|behebe?|füge?|schreibe?|erstelle?|prüfe?|öffne|installiere?|zähle?|vergleiche?|fasse?|kopiere?|verschiebe?|lösche?|baue?|teste?|starte?|lies|mach weiter|weiter|danke|hallo)\b|"
    r"(?:montre|liste|trouve|cherche|renomme|lance|explique|corrige|ajoute|écris|crée|vérifie|ouvre|installe|compte|compare|résume|copie|déplace|supprime|teste|démarre|lis|continue|merci|bonjour)\b|"
    r"(?:muestra|muéstrame|lista|busca|encuentra|renombra|ejecuta|explica|corrige|añade|escribe|crea|revisa|abre|instala|cuenta|compara|resume|copia|mueve|borra|prueba|inicia|lee|continúa|sigue|gracias|hola)\b|"
    r"(?:покажи|найди|переименуй|запусти|объясни|исправь|добавь|напиши|создай|проверь|открой|установи|посчитай|сравни|скопируй|перенеси|удали|прочитай|продолжай|спасибо|привет)(?:те)?\b|"
    r"显示|列出|找|查|重命名|运行|解释|修复|添加|写|创建|检查|打开|安装|比较|总结|复制|移动|删除|测试|启动|读|继续|谢谢|你好|看看|給|给我"
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
# Said of a task, these tell how such things are to be done from then on: "write the dates like 2026-11-17".
_MANNER = (
    r"like|the way|each|every|any|whenever|jede\w*|chaque|cada|ogni|кажд\w+|(?<=s )with(?:out)?|(?<=n )mit|(?<=n )ohne|(?<=s )avec|(?<=s )con|as (?:an?|if|plain|text|json|tables?|lists?|markdown)|in (?:english|german|french|spanish|plain|full|short|simple|lower|upper|metric|utc|cents|markdown|one|two|small|present|past|past tense|the (?:style|format|form|manner|order) of)|"
    r"by default|in general|normally|usually|one (?:at a time|by one|per)|at a time|per (?:file|line|commit|change|function|answer|day|week)|in (?:small|separate|that|this) (?:steps|order|commits|files|style|format|form)|"
    r"so wie|wie (?:im|in|bei)|auf (?:deutsch|englisch|französisch)|als (?:tabelle|liste|text)|einzeln|der reihe nach|pro (?:datei|zeile|commit)|"
    r"comme|en (?:français|anglais|allemand|minuscules|majuscules|une ligne)|un par un|par (?:fichier|ligne|commit)|como|en (?:español|inglés|minúsculas|mayúsculas)|uno por uno|por (?:archivo|línea|commit)|"
    r"как|по-русски|по-английски|по одному|в (?:формате|виде|стиле)"
)
_IS = (
    r"is|are|was|were|has|have|belongs?|goes|go|comes?|stays?|needs?|must|should|gets?|runs?|happens?|takes?|lives?|contains?|holds?|means?|costs?|ends?|begins?|remains?|"
    r"ist|sind|war|hat|haben|gehört|gehören|bleibt|bleiben|läuft|enthält|est|sont|appartient|reste|contient|es|son|está|están|tiene|contiene|è|sono|ha|é|são|tem"
)
# A word that is a task alone and a thing in "test data is real", "commit messages are in English".
_THING = late(
    rf"[a-zäöüß]+(?: (?!what|which|who|why|how|if|whether|that|the|an?|it|this|these|those|my|your|our|me|there|was|wer|wie|ob|dass|d(?:er|ie|as|en)|si|qui|que|quel)[^\W\d_]+){{0,2}} (?:{_IS})(?!\w)"
    "|[\u3400-\u9fff]{2,12}(?:是(?![不否])|属于|归|不|为|都)"
)
# Things of a kind and none in particular: "print paths relative to the root"; what is looked for is none.
_GENERAL = late(
    r"(?:print|write|add|format|commit|test|sort|deploy|build|merge|push|review|read|create|explain|describe|give|translate|convert|update|start) [a-z]{3,}s(?! (?:of|from|for|to) )\b"
)
_HOW = late(rf"(?<!\w)(?:{_MANNER})(?!\w)|用.{{1,8}}(?:写|格式|风格)|按")
# A path, an address or a name in code of which something is said.
_NAMED = late(
    r"(?:`[^`]+`|[~\w.-]*[/:@][\w./:@~-]*|\d+(?:\.\d+){1,3}) (?=[^\W\d_]+ \w)", re.IGNORECASE
)
# What a very short rule begins with; and what is said in as few words and is none.
_TERSE = late(
    r"(?:no|not|be|in|with|without|less|more|fewer|on|as|by|metric|kein\w*|nicht|ohne|sei|auf|mit|weniger|mehr|pas|sans|en|sois|moins|plus|sin|nada|con|sé|más|menos|sem|com|seja|senza|sii|più|meno|без|по|на|с|bez|po|na|geen|op|uten|utan|med) "
    r"(?!thanks|idea|yet|now|problem|worries|way|sure|it|that|this|one|joke|good|a sec|gracias|merci|problema)|[用说讲講說简簡少多]"
)
# News of the moment, which is old at the next turn.
_NEWS = late(
    r"(?<!\w)(?:worked|works now|went|failed|crashed|broke|passed|finished|(?:re)?started|rebooted|happened|seems|just|again|back|done|got|saw|"
    r"gerade|eben|soeben|wieder|hat|hatte|wurde|ging|lief|scheint|vient de|a été|à nouveau|semble|acaba de|ha|otra vez|parece|appena|di nuovo|sembra|acabou|de novo|только что|снова|опять|упал\w*|кажется)(?!\w)"
    "|刚|刚才|又|好像|さっき|また|ようです|방금|다시|것 같"
)
_TASK = late(rf"[\"'«“„¿¡(*•\s-]*{_LEAD}(?P<task>{_TASKS})")


def sounds_lasting(said: str) -> bool:
    """Whether a statement sounds like something that is to hold; a short one is cheap to keep."""
    return len(said) <= _CHEAP or _HINT.search(said.lower()) is not None


def is_news(said: str) -> bool:
    """Whether a statement tells what has just happened."""
    return _NEWS.search(said.lower()) is not None


def is_statement(said: str) -> bool:
    """Whether a sentence, no question, states something that may hold later."""
    lower = said.lower()
    if len(said) > MOST_CHARS or not _long_enough(said, lower):
        return False
    named = _NAMED.match(said)
    rest = f"That {said[named.end() :]}" if named else said
    if _NO_SENTENCE.match(rest) or _CODE.search(rest) or not _mostly_words(rest):
        return False
    return not _is_task(lower)


def _long_enough(said: str, lower: str) -> bool:
    words = _WORD.findall(said)
    if said >= _TOGETHER:
        return sum(map(len, words)) >= (_LEAST_TERSE if _TERSE.match(lower) else _LEAST_TOGETHER)
    return len(words) > 1 and (len(said) >= LEAST_CHARS or _TERSE.match(lower) is not None)


def _mostly_words(said: str) -> bool:
    """Whether a sentence is words rather than output; one number in it is as good as a word."""
    numbers = _NUMBER.findall(said)
    spared = len(numbers[0]) if len(numbers) == 1 else 0
    letters = sum(map(len, _WORD.findall(said)))
    part = _LETTERS if said < _TOGETHER else 0.5
    return letters + said.count(" ") + spared >= part * len(said)


def _is_task(lower: str) -> bool:
    """Whether a sentence is to be done now; not so if it tells how, or speaks of the thing."""
    found = _TASK.match(lower)
    if found is None or _HOW.search(lower, found.end()) is not None:
        return False
    if _GENERAL.match(lower, found.start("task")) is not None:
        return False
    if found["english"] and not lower.translate(_TYPOGRAPHY).isascii():
        return False  # "Test veritabanında": the word is English, the sentence is not
    return _THING.match(lower, found.start("task")) is None
