"""What a user states in passing: no question, no task of the moment, and no output.

Nobody can list the words of every rule: "Fridays are frozen", "the client reads this too". So what
is neither asked nor ordered is kept as well, below what is known to be a rule, while there is room.
"""

# ruff: noqa: E501 - one language's words stay on one line

from __future__ import annotations

import re

from aish.core.patterns import late

LEAST_CHARS, MOST_CHARS = 12, 300
_LEAST_TOGETHER = 5  # letters of a script that does not part its words
_LETTERS = 0.72  # of a sentence; logs, paths and code have fewer
_TOGETHER = "\u0e00"  # from here on scripts do not part their words, or hardly
_WORD = re.compile(r"[^\W\d_]+")
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
    r"(?:show|list|find|rename|run|explain|fix|add|write|create|check|open|install|print|count|search|grep|look|tell me (?:what|why|how|which|where|who|about)|describe|compare|summari[sz]e|"
    r"convert|copy|move|delete|remove|download|build|compile|test|deploy|restart|start|update|generate|refactor|implement|debug|give me|read|go (?:on|ahead)|continue|try|get|see|do (?:it|that|this)|"
    r"thank|thanks|hello|hi|hey|help me|can you|could you|would you|will you|translate|draw|sort|merge|commit|push|pull|clone|extract|rewrite|review|walk me|plot|parse|lint|format|kill)\b|"
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
_TASK = late(rf"[\"'«“„¿¡(*•\s-]*{_LEAD}(?:{_TASKS})")


def sounds_lasting(said: str) -> bool:
    """Whether a statement sounds like something that is to hold."""
    return _HINT.search(said.lower()) is not None


def is_statement(said: str) -> bool:
    """Whether a sentence, no question, states something that may hold later."""
    if not LEAST_CHARS <= len(said) <= MOST_CHARS and said < _TOGETHER:
        return False
    if len(said) > MOST_CHARS or _NO_SENTENCE.match(said) or _CODE.search(said):
        return False
    words = _WORD.findall(said)
    letters = sum(map(len, words))
    if not words or letters + said.count(" ") < (_LETTERS if said < _TOGETHER else 0.5) * len(said):
        return False
    enough = len(words) > 1 if said < _TOGETHER else letters >= _LEAST_TOGETHER
    return enough and not _TASK.match(said.lower())
