"""What people say beside the work: thanks, how it went, what they make of it."""

# ruff: noqa: E501 - one language's words stay on one line

from __future__ import annotations

from aish.core.patterns import late

# What is said when something went well; it tells no more than that.
_CONTENT = (
    r"perfect|great|nice|cool|awesome|lovely|excellent|brilliant|wow|haha\w*|lol|phew|well done|good (?:job|work|catch|point)|fair enough|makes sense|got it|i see|understood|never ?mind|no (?:worries|problem)|all (?:good|set|done)|that (?:worked|works|did it|help\w*|fixed|makes sense|was)|it works|works|looks good|lgtm|sounds good|interesting|"
    r"super|prima|klasse|perfekt|toll|genial|alles klar|verstanden|passt|läuft|geht wieder|parfait|génial|super|ça marche|compris|perfecto|genial|vale|funciona|entendido|perfetto|ottimo|capito|funziona|perfeito|ótimo|entendi|funcionou|mooi|top|snap ik|het werkt|bra|fint|toppen|det funkar|hienoa|toimii|świetnie|super|działa|rozumiem|skvělé|funguje|szuper|működik|harika|süper|çalışıyor|oldu|"
    r"отлично|супер|класс|понятно|ясно|работает|заработало|чудово|зрозуміло|працює|τέλεια|δουλεύει|tuyệt|bagus|mantap|berhasil"
)
_CONTENT_TOGETHER = "太好了|好的|很好|明白|知道了|搞定|可以了|成功了|なるほど|いいですね|できました|了解|動きました|좋아|알겠|됐|작동|ممتاز|رائع|מעולה|הבנתי|עובד|عالی|बढ़िया|ठीक है|দারুণ|เยี่ยม|เข้าใจ"
_GREETING = (
    r"thanks?|thank you|thx|ty|cheers|hello|hi|hey|good (?:morning|evening|night)|bye|danke\w*|vielen dank|hallo|guten (?:morgen|tag|abend)|tschüss|merci|bonjour|bonsoir|salut|gracias|hola|buenos días|obrigad[oa]|valeu|olá|oi|grazie|ciao|buongiorno|dank je|bedankt|hoi|tack|takk|tak|hej|kiitos|moi|dzięki|dziękuję|cześć|díky|děkuji|ahoj|ďakujem|köszi|köszönöm|szia|mulțumesc|teşekkür\w*|sağ ol|merhaba|selam|"
    r"спасибо|благодарю|привет|дякую|привіт|ευχαριστώ|γεια|cảm ơn|chào|terima kasih|makasih|halo|谢谢|多谢|你好|再见|早上好|ありがとう\w*|こんにちは|おはよう\w*|감사\w*|고마워\w*|안녕\w*|شكر[\u0600-\u06ff]*|مرحبا|תודה|שלום|سلام|ممنون|धन्यवाद|नमस्ते|ধন্যবাদ|ขอบคุณ\w*|สวัสดี\w*"
)
_GREETED = late(rf"[\W_]*(?:{_GREETING})(?:[\s,!.。！，、]+[^\W\d_]+){{0,3}}[\s.!。！]*$")
_PLEASED = late(
    rf"[\W_]*(?:(?:{_CONTENT}|{_GREETING}|ja(?:ja)+|ha(?:ha)+|hm+|oops|ups|tja|naja|brb)(?!\w)|{_CONTENT_TOGETHER}|嗯|哈哈|うーん|ㅋ|흠)"
)
# What has the words of a rule and is none.
_IDIOM = late(
    r"(?<!\w)(?:never ?mind|don['’]?t (?:worry|mind|bother)|no worries|always fun|i(?: have| had|['’]ve)? (?:never|always) (?:\w+ed|understood|seen|heard|been|had|knew|got|thought)|must have|don['’]?t (?:know|remember|think|see|get it|understand)|can['’]t be (?:serious|right|true)|"
    r"keine sorge|macht nichts|weiß nicht|egal|ne t['’]inquiète|ce n['’]est pas grave|pas grave|je ne sais|no te preocupes|no importa|no sé|não se preocupe|não sei|non ti preoccupare|non importa|non so|geen zorgen|maakt niet uit|weet niet|ingen fara|vet inte|nie martw|nieważne|nie wiem|nevadí|nevím|mindegy|nem tudom|nu contează|nu știu|boş ver|bilmiyorum|"
    r"не (?:волнуйся|переживай|важно|знаю|помню|понимаю)|неважно|ничего страшного|не хвилюйся|не знаю|không sao|không biết|tidak apa|tidak tahu)(?!\w)"
    "|没关系|沒關係|不要紧|别担心|不知道|大丈夫|気にしない|わからない|わかりません|괜찮|모르겠|상관없|لا بأس|لا أعرف|לא נורא|לא יודע|مهم نیست|نمی.?دانم|कोई बात नहीं|पता नहीं|ไม่เป็นไร|ไม่รู้"
)
# A program's words, pasted.
_OUTPUT = late(
    r"[\w.$]*(?:exception|error|warning)\b\s*[:(\[]|(?:error|fatal|warning|warn|info|debug|traceback|npm err!?|e|w)[:\[]|traceback \(|[\w./-]+: (?:line )?\(?\d+[):]|at [\w.$]+\(|\s*(?:~|\d\d:)"
)
# A question without its mark.
_UNMARKED = late(
    r"(?:(?:and|so|but|ok|hm+|und|et|y|e|а|и)[\s,]+)?(?:what(?:['’]s|s| (?:is|are|was|does|do|did|would|about|if|happens|the))|how (?:is|are|do|does|did|would|could|come|many|much|long|can|to)|why (?:is|are|do|does|did|would|the|it|not)|which (?:one|of|is|are)|who (?:is|are|did|owns)|where (?:is|are|do|does|did|can)|when (?:is|are|did|does|was) (?:it|the|that|this)|"
    r"was (?:ist|sind|war|macht|heißt|bedeutet|passiert)|wie (?:ist|geht|kann|macht|viele?|lange)|warum|wieso|wo (?:ist|sind|liegt)|wer (?:ist|hat)|pourquoi|comment (?:on|je|tu|ça|faire)|qu['’]est-ce|c['’]est quoi|combien|où (?:est|sont)|qué (?:es|son|significa|pasa)|cómo|por qué|dónde|cuánt\w+|o que é|como (?:faço|se|é)|por que|cos['’]è|come (?:si|mai|faccio)|perché|dov['’]è|wat (?:is|zijn|betekent)|hoe|waarom|waar is|vad är|hva er|hvad er|hur|hvordan|varför|hvorfor|co (?:to|je|znaczy)|jak (?:to|się|je)|dlaczego|proč|mi az|miért|hogyan|ce (?:este|e)|cum|de ce|ne(?:den|rede)|nasıl|"
    r"почему|что такое|что значит|как (?:это|мне|сделать|работает)|где|сколько|чому|що таке|γιατί|τι είναι|πώς|tại sao|làm sao|kenapa|bagaimana|apa itu)(?!\w)"
    "|为什么|為什麼|什么是|怎么|哪|なぜ|どうして|왜|어떻게|لماذا|كيف|למה|איך|چرا|چطور|क्यों|कैसे|কেন|ทำไม"
)
# News of the moment, which is old at the next turn.
_NEWS = late(
    r"(?<!\w)(?:worked|works now|went|failed|crashed|broke|passed|finished|(?:re)?started|rebooted|happened|seems|just|again|back|done|got|saw|yesterday|today|this (?:morning|afternoon|week)|last (?:night|week|month)|(?:i|we|he|she|they|it) (?:\w+ed|had|was|were|took|found|went|did|ran|made|told|forgot)|"
    r"gestern|heute|hier (?:soir|matin)|aujourd['’]hui|ce matin|ayer|hoy|ieri|oggi|ontem|hoje|gisteren|vandaag|igår|i går|wczoraj|dzisiaj|včera|tegnap|ieri|dün|вчера|сегодня|вчора|gerade|eben|soeben|wieder|hat|hatte|wurde|ging|lief|scheint|vient de|a été|à nouveau|semble|acaba de|ha|otra vez|parece|appena|di nuovo|sembra|acabou|de novo|только что|снова|опять|упал\w*|кажется)(?!\w)"
    "|昨天|今天|昨日|今日|어제|오늘|刚|刚才|又|好像|さっき|また|ようです|방금|다시|것 같"
)


def is_greeting(lower: str) -> bool:
    """Whether a sentence thanks or greets, and that is all."""
    return _GREETED.match(lower) is not None


def is_comment(lower: str) -> bool:
    """Whether a sentence begins by saying how one likes it."""
    return _PLEASED.match(lower) is not None


def is_news(lower: str) -> bool:
    """Whether a sentence tells what has happened."""
    return _NEWS.search(lower) is not None


def is_idiom(lower: str) -> bool:
    """Whether a sentence has the words of a rule and probably lays nothing down."""
    return _IDIOM.search(lower) is not None


def is_output(lower: str) -> bool:
    """Whether a sentence is a program's."""
    return _OUTPUT.match(lower) is not None


def is_unmarked_question(lower: str) -> bool:
    return _UNMARKED.match(lower) is not None
