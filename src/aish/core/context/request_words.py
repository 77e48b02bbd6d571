"""Requests that have the form of a question: "could you leave it alone?", "keep it short, ok?"

A question asks for an answer and is done with it; a request may hold for the whole conversation.
"""

# ruff: noqa: E501 - one language's words stay on one line

from __future__ import annotations

import re

from aish.core.context.task_words import is_task_elsewhere
from aish.core.patterns import late

# What a request begins with, in languages that part their words.
_OPENINGS = (
    r"please|pls|would it kill you(?: to)?|(?:can|could|will|would|may|might|shall) (?:you|we|everything|everyone|all|this|that|it)(?: (?:please|just|maybe|also|perhaps))*|(?:would|do) you mind(?: if)?|mind|how about|what about|what if we|why (?:don['’]?t|not)(?: (?:we|you))?|is it (?:ok|okay|possible|fine) (?:if|to)|let['’]s|(?:any chance|is there (?:a|any) (?:way|chance)|think|would it be \w+|would it kill you|could i ask|may i ask|could|would)(?: (?:if|that|to))?(?: (?:you|we)(?: (?:could|can|to))?)?|"
    r"bitte|(?:kannst|könntest|könnten|können|würdest|würden|magst|willst|wollen|sollen|darf ich) (?:du|sie|wir|ihr|dich)(?: (?:bitte|vielleicht|mal))*|wie wär(?:e|['’]s)(?: es)?(?: mit)?|macht es dir etwas aus|könnten?|würden?|"
    r"s['’]il (?:te|vous) pla[iî]t|(?:est-ce que )?(?:tu|vous|on) (?:peux|pouvez|peut|pourrais|pourriez|pourrait|veux|voulez)(?: bien)?|(?:peux|pouvez|pourrais|pourriez|pourrait|veux|voulez|peut)-(?:tu|vous|on)|(?:ça|cela) (?:te|vous) (?:dérange|dérangerait)|et si on|pourr(?:ait|aient)-\w+|pourquoi ne pas|"
    r"por favor|(?:me |nos )?(?:puedes|podrías|puede|podría|pueden|podemos|podríamos)|(?:te|le) (?:importa|importaría|parece)(?: si)?|qué tal si|podrían?|por qué no|"
    r"(?:você |vocês |tu |a gente )?(?:pode|podes|podem|poderia|poderias|podia|podemos)|se importa(?:ria)?(?: de)?|dá (?:para|pra)|que tal|"
    r"per favore|(?:mi )?(?:puoi|potresti|può|potrebbe|potete|possiamo|potremmo)|(?:ti|le) (?:dispiace|dispiacerebbe|va)(?: di)?|perché non|potrebbero|"
    r"(?:kun|kan|kunt|zou|zouden|kunnen|wil|wilt|zullen) (?:je|jij|u|we|wij|jullie)|"
    r"(?:kan|kunde|kunne|vil|ville|skulle|ska|skal) (?:du|ni|vi|dere|i)|"
    r"voisitko|voitko|voisitteko|voimmeko|voisimmeko|viitsitkö|sopiiko|"
    r"(?:czy )?(?:możesz|możecie|mógłbyś|mogłabyś|mógłby|mogłaby|moglibyśmy|możemy|mogę prosić)|proszę|a może|"
    r"(?:můžeš|můžete|mohl bys|mohla bys|mohli bychom|můžeme|môžeš|môžete|môžeme)|prosím|"
    r"(?:tudnál|tudnád|tudsz|megtennéd|lehetne|lehet|nem lehetne)|kérlek|"
    r"(?:poți|puteți|ai putea|ați putea|putem|am putea|se poate)|te rog|"
    r"lütfen|пожалуйста|(?:а )?(?:(?:не )?мог(?:ла|ли)? бы|можешь|можете|можем|можно|нельзя ли|не могли)(?: (?:ты|вы|мы))?|давай(?:те)?|"
    r"будь ласка|(?:чи )?(?:(?:не )?міг би|могла б|можеш|можете|можемо|можна)|"
    r"παρακαλώ|(?:μπορείς|μπορείτε|θα μπορούσες|θα μπορούσατε|μπορούμε|γίνεται)|"
    r"(?:bạn |anh |chị )?có thể|tolong|(?:bisa(?:kah)?|boleh(?:kah)?|maukah|dapatkah)(?: (?:kamu|anda|kita))?"
)
# What a request ends with.
_ENDINGS = (
    r"ok|okay|okej|oké|k|please|pls|thanks|right|alright|all right|yes|yeah|yep|deal|understood|got it|clear|agreed|will you|would you|can you|could you|if possible|"
    r"ja|gut|gell|verstanden|in ordnung|einverstanden|bitte|klar|abgemacht|geht das|d['’]accord|hein|compris|entendu|oui|ça va|c['’]est possible|vale|de acuerdo|sí|entendido|eh|por favor|está bien|"
    r"certo|tá|tá bom|combinado|está bem|tudo bem|sim|va bene|d['’]accordo|vero|capito|intesi|sì|goed|hè|akkoord|alsjeblieft|graag|eller hur|greit|va|jooko|onko selvä|käykö|"
    r"dobrze|zgoda|jasne|proszę|prawda|dobře|ano|jo|prosím|áno|jó|rendben|ugye|oké|bine|da|de acord|tamam mı|olur mu|tamam|anlaştık mı|lütfen|"
    r"хорошо|ладно|ок|окей|да|договорились|понятно|ясно|пожалуйста|идёт|добре|гаразд|так|εντάξει|οκ|ναι|được không|nhé|được chứ|ya|bisa|oke|setuju"
)
# What makes a request of a question wherever it stands: scripts and languages that put it inside or last.
_WITHIN = (
    r"(?:mısın|misin|musun|müsün|mısınız|misiniz|mıyız|miyiz|olur mu|mümkün mü)\s*[?]"
    "|能不能|可不可以|可不可|能否|可否|要不|不如|好吗|好嗎|好不好|行吗|行嗎|行不行|可以吗|可以嗎|请|請|麻烦|麻煩|(?:能|可以|可).{1,60}[吗嗎]"
    "|ください|もらえ|いただけ|くれ(?:ます|ない|る)|ませんか|お願い|てもいい|ようか|ましょう"
    "|줄 ?수|주실|주시|줄래|주겠|될까|할까|을까|괜찮|부탁|하죠|가능"
    "|ได้ไหม|ได้มั้ย|ดีไหม|นะ|กรุณา|ช่วย"
    "|هل يمكن|هل تستطيع|ممكن|هلا|أيمكن|لو سمحت|من فضلك|حسنا|حسنًا|تمام|اتفقنا|אפשר|תוכל|יכול|בבקשה|בסדר|می.?شود|می.?شه|می.?توان|ممکن|لطفا|باشه|क्या आप|सकते|सकती|ठीक|कृपया|পারেন|পারো|ঠিক"
)
# A question about what things may or should be like is rather a wish: "can the answers have a source?"
_WISHES = (
    r"(?:can|should|must|may|might|shall|will) (?:the|all|every|each|our|my|your|these|those|any|no|there|people|[a-z]{3,}s) |(?:can|could|should|would)n['’]?t (?:we|you|it|this|that|the|all)|any objections? (?:to|if)|is it too much|what do you say|"
    r"(?:kann|können|könnte|soll|sollen|sollte|sollten|darf|dürfen|muss|müssen) (?:d(?:ie|er|as|en)|alle\w*|jede\w*|man|es|unsere?|meine?|deine?)|ginge|geht (?:das|es)|ließe|was hältst|spricht (?:et)?was dagegen|"
    r"(?:est-ce qu['’e] ?)?(?:les?|la|tous|toutes|chaque|on) .{0,40}(?:peut|peuvent|pourrai|doit|doivent|devrai)|peut-(?:on|il|elle)|ne (?:peut|pourrait)|et si|"
    r"se (?:puede|podría)n?|(?:no )?deben?|debería|y si|(?:as|os|a|o|tod[ao]s|cada) .{0,40}(?:pode|podem|poderia|poderiam|deve|devem)|e se|daria|será que|"
    r"si (?:può|potrebbe|potrebbero|possono)|(?:le|i|gli|la|il|lo|tutt[ei]|ogni) .{0,40}(?:può|possono|potrebbe|potrebbero|deve|devono)|"
    r"(?:kan|kunnen|mag|mogen|moet|moeten|zou|zouden) (?:de|het|alle|elke|dit|dat|er|onze|mijn)|(?:kan|kunde|kunne|får|må|ska|skal|bør|borde) (?:det|den|de|alla|alle|man|\w+(?:en|et|na|ne))|"
    r"voi(?:ko|sko|siko|vatko|sivatko)|saa(?:ko|vatko)|olisiko|pitäisikö|eikö|czy .{0,40}(?:moż|mog|da się|powin)|da się|a gdyby|(?:může|mohou|mohl[aoy]?|šlo|nešlo|dalo)|(?:môže|môžu|mohlo)|"
    r"lehetne|nem (?:lehet|kellene)|mi lenne|s-ar putea|(?:ar|pot|poate) .{0,20}(?:putea|fi)|ce-ar fi|.*(?:abilir|ebilir|alım|elim) m[iı]|"
    r"(?:а )?(?:может|могут|стоит|должн\w+|что если)|(?:чи )?(?:можуть|може|слід|варто)|а якщо|(?:θα )?μπορ\w+|πρέπει|μήπως|.*(?:được không|nhé|chứ)|(?:apakah .{0,40})?(?:bisa|boleh|mungkin)|(?:bagaimana|gimana) kalau"
)
_WISHED = "要不要|应不应该|该不该|吧[？?]|何不|不妨|怎么样|如何[？?]|られますか|できますか|できませんか|いいですか|でしょうか|どうです|수 있|어때|까요|래요|ดีกว่า|لم لا|لماذا لا|ما رأيك|أليس|אולי|מה דעתך|למה לא|بهتر نیست|چطور|सकत|क्यों न|कैसा रहेगा|পারি|কেমন হয়"
_REQUEST = late(
    rf"^[\"'«“„¿¡(\s]*(?:{_OPENINGS})(?!\w)|\b(?:please|bitte|por favor|per favore|s['’]il (?:te|vous))\b|{_WITHIN}"
)
_WISH = late(rf"[\"'«“„¿¡(\s]*(?:{_WISHES})|.*?(?:{_WISHED})")
_ENDING = late(rf"\s*[,;–—-]\s*(?:{_ENDINGS})\s*[?？؟;]+$", re.IGNORECASE)
_OPENING = late(rf"^[\"'«“„¿¡(\s]*(?:(?:{_OPENINGS})(?!\w)[\s,]*)+")
# What is to be done now: the verbs a request has where it means one thing at this moment.
_ENGLISH_ONCE = r"show|list|find|rename|run|explain|fix|add|write|create|check|open|install|print|count|search|grep|look|tell|describe|compare|summari[sz]e|convert|copy|move|delete|remove|download|build|compile|test|deploy|restart|start|update|generate|refactor|implement|debug|give|read|go|continue|try|get|see|do|help|translate|draw|sort|merge|commit|push|pull|clone|extract|rewrite|review|walk|plot|parse|lint|format|kill|make|set|send|change|put|repeat|access|reproduce|figure|point|confirm|verify|have a look|take"
_ONCE = late(
    rf"(?:{_ENGLISH_ONCE})\b|.*?(?<!\w)(?:"
    r"zeigen|auflisten|finden|suchen|umbenennen|ausführen|erklären|beheben|hinzufügen|schreiben|erstellen|anlegen|prüfen|öffnen|installieren|zählen|vergleichen|zusammenfassen|kopieren|verschieben|löschen|bauen|testen|starten|lesen|sagen|geben|helfen|nachsehen|nachschauen|schauen|machen|ändern|"
    r"montrer|lister|trouver|chercher|renommer|lancer|expliquer|corriger|ajouter|écrire|créer|vérifier|ouvrir|installer|compter|comparer|résumer|copier|déplacer|supprimer|tester|démarrer|lire|dire|donner|aider|regarder|faire|"
    r"mostrar(?:me)?|listar|buscar|encontrar|renombrar|ejecutar|explicar(?:me)?|corregir|corrigir|añadir|adicionar|escribir|escrever|crear|criar|revisar|abrir|instalar|contar|comparar|resumir|copiar|mover|borrar|apagar|probar|testar|iniciar|leer|ler|decir(?:me)?|dizer|dar(?:me)?|ayudar(?:me)?|ajudar|ver|hacer|fazer|"
    r"mostrar(?:mi)?|mostrare|elencare|trovare|cercare|rinominare|eseguire|spiegare|correggere|aggiungere|scrivere|creare|controllare|aprire|installare|contare|confrontare|riassumere|copiare|spostare|cancellare|provare|avviare|leggere|dire|dare|aiutare|fare|"
    r"показать|найти|переименовать|запустить|объяснить|исправить|добавить|написать|создать|проверить|открыть|установить|посчитать|сравнить|скопировать|перенести|удалить|прочитать|сказать|дать|помочь|посмотреть|сделать)(?!\w)"
    "|.*?(?:显示|列出|找|查|重命名|运行|解释|修复|添加|写|创建|检查|打开|安装|比较|总结|复制|移动|删除|测试|启动|读|继续|看|告诉|说明|給|给|見せ|教え|調べ|探|実行|説明|直し|作っ|確認|보여|알려|찾아|실행|설명|고쳐|만들|확인)"
)


def without_ending(said: str) -> str:
    """What is said before "…, ok?"; a sentence without such an ending as it is."""
    found = _ENDING.search(said)
    return said[: found.start()] if found else said


def is_request(said: str) -> bool:
    """Whether a question asks for something to be done or to be so."""
    return _REQUEST.search(said.lower()) is not None


def is_wish(said: str) -> bool:
    """Whether a question is perhaps a wish; half of such questions are just questions."""
    return _WISH.match(said.lower()) is not None


def may_hold(said: str) -> bool:
    """Whether a request may be for longer than this moment."""
    wanted = _OPENING.sub("", said.lower(), count=1)
    return _ONCE.match(wanted) is None and not is_task_elsewhere(wanted.rstrip("?؟;？ "))
