"""The words by which people lay something down: rules, corrections and goals, by language."""

# ruff: noqa: E501 - one language's words stay on one line

from __future__ import annotations

from typing import NamedTuple


class Words(NamedTuple):
    """Alternatives of a regular expression; `apart` says that the language parts its words."""

    firm: str  # words that hardly mean anything but a rule
    rule: str
    correction: str
    goal: str
    apart: bool = True


LANGUAGES: dict[str, Words] = {
    "English": Words(
        r"never|always|from (?:now|here|today) on|from this point|going forward|at all times|do(?: not|n['’]?t)|must(?: not|n['’]t)?",
        r"may not|cannot be|can['’]?t be|make sure|be sure|ensure|remember|keep in mind|bear in mind|only|avoid|no longer|no more|stop|under no circumstances|without exception|whatever happens|no matter what|hands off|leave .{1,60} (?:alone|untouched|as (?:it|they) (?:is|are|was|were))|stay away|off[- ]limits|forbidden|prohibited|not allowed|allowed|required?|requires|mandatory|shall|should(?: not|n['’]t)?|ought to|prefer|ask (?:me )?(?:before|first)|before you|has to|have to|needs? to|keep|stick (?:to|with)|insist|refrain|whenever|every time|in every|each time|rules?|important|policy|convention|constraint|limit|at most|at least|(?:no|not) more than|no less than|(?:stay|keep|remain) (?:under|below|within|above|inside|on|in|out)|budget|deadline|no \w+ (?:in|on|before|after|without)|without (?:asking|my)|try (?:not )?to|see to it|unless|until i|read[- ]only|untouched|reserved for|belongs to|use",
        r"instead|rather|not .{1,60} but|actually|correction|i mean(?:t)?|i said|wrong|mistake|scratch that|forget (?:about|that|what|the)|ignore|change of plan|changed my mind|switch(?:ing)? to|as of now|replace|better|on second thought|(?:is|was) (?:right|correct)|no,",
        r"(?:goal|task|aim|objective|plan|mission|job|purpose|target) (?:is|are|now|has|will|:)|(?:new|real|actual|main|final) (?:goal|task|plan|aim)|i(?:['’]d| would)? (?:want|like|need)|we (?:need|have|want|are going) to|(?:goal|task|aim)s?:|let['’]s(?! see)",
    ),
    "German": Words(
        r"nie|niemals|immer|ab (?:jetzt|sofort|heute)|von (?:jetzt|nun|heute) an|künftig|zukünftig|in zukunft",
        r"nicht|auf keinen fall|keinesfalls|unter keinen umständen|nur(?: noch)?|darf(?:st)?|dürfen|muss|musst|müssen|soll(?:st|te|ten|en)?|achte|denk daran|vergiss|merk dir|merke|vermeide?|lass .{1,60} in ruhe|finger weg|kein(?:e|en|er|em)?|verwende|benutze|nutze|nimm|stets|jedes ?mal|ausschließlich|verboten|erlaubt|regel|wichtig|niemand|bevor",
        r"stattdessen|anstatt|anstelle|statt|sondern|eigentlich|ich mein(?:t)?e|falsch|doch lieber|lieber|korrektur|besser|umentschieden|vergiss|wechs(?:el|le)|richtig ist|ist richtig|stimmt",
        r"ziel|aufgabe|ich (?:möchte|will|brauche|hätte)|wir (?:wollen|müssen|brauchen)|(?:der|unser|mein|neuer) plan|zweck",
    ),
    "French": Words(
        r"jamais|toujours|désormais|dorénavant|à partir de (?:maintenant|là)",
        r"ne|n['’]\w+ (?:pas|plus|jamais)|il (?:faut|ne faut)|doi(?:s|t|vent)|devez|devrai[st]|évite[zr]?|assure|veille[zr]?|uniquement|seulement|interdit|surtout|souviens|rappelle|n['’]oublie|chaque fois|règle|important|obligatoire|utilise[zr]?|garde[zr]?|laisse[zr]?|respecte[zr]?",
        r"plutôt|au lieu|à la place|en fait|je voulais dire|correction|finalement|oublie[zr]?|remplace[zr]?|non,",
        r"objectif|(?:le|mon|notre|seul|vrai) but|but (?:est|:)|tâche|mission|je (?:veux|voudrais|souhaite)|nous (?:voulons|devons)|il s['’]agit",
    ),
    "Spanish": Words(
        r"nunca|jamás|siempre|a partir de (?:ahora|hoy)|de ahora en adelante|desde ahora|en adelante",
        r"no|debes?|deben|debería|tienes? que|hay que|evita|asegúrate|recuerda|solo|sólo|solamente|únicamente|prohibido|bajo ningún|cada vez|regla|importante|obligatorio|usa|utiliza|mantén|deja",
        r"en lugar de|en vez de|mejor|en realidad|quise decir|corrección|olvida|cambia|reemplaza|sino",
        r"objetivo|tarea|(?:la|mi|nuestra) meta|misión|quiero|quisiera|necesito|queremos|necesitamos",
    ),
    "Portuguese": Words(
        r"nunca|jamais|sempre|a partir de (?:agora|hoje)|de agora em diante|doravante",
        r"não|deve[ms]?|tem que|precisa|evite|certifique|lembre|apenas|somente|só|proibido|de forma alguma|cada vez|regra|importante|obrigatório|use|utilize|mantenha|deixe",
        r"em vez d|no lugar|na verdade|quis dizer|correção|melhor|esqueça|troque|substitua|mas sim",
        r"objetivo|tarefa|(?:a|minha|nossa) meta|missão|quero|gostaria|preciso|queremos|precisamos",
    ),
    "Italian": Words(
        r"mai|sempre|d['’]ora in (?:poi|avanti)|da (?:ora|adesso|oggi) in (?:poi|avanti)",
        r"non|devi|deve|devono|dovresti|bisogna|evita|assicurati|ricorda|solo|soltanto|solamente|unicamente|vietato|ogni volta|regola|importante|obbligatorio|usa|utilizza|mantieni|lascia",
        r"invece|al posto|piuttosto|in realtà|intendevo|correzione|meglio|dimentica|cambia|sostituisci|bensì",
        r"obiettivo|compito|scopo|missione|voglio|vorrei|ho bisogno|dobbiamo",
    ),
    "Dutch": Words(
        r"nooit|altijd|vanaf (?:nu|vandaag)|voortaan",
        r"niet|geen|moet(?:en)?|mag|mogen|zorg|vermijd|onthoud|denk eraan|alleen|uitsluitend|gebruik|verboden|elke keer|regel|belangrijk|verplicht|laat .{1,60} met rust",
        r"in plaats van|liever|eigenlijk|ik bedoel|correctie|beter|vergeet|vervang|maar wel",
        r"doel|taak|opdracht|ik wil|ik zou|we (?:willen|moeten)",
    ),
    "Swedish, Norwegian, Danish": Words(
        r"aldrig|aldri|alltid|altid|från och med|fra (?:nå|nu) (?:av|af)|framöver|fremover|måste|skall?|får (?:inte|ikke)|må (?:ikke|inte)",
        r"inte|ikke|undvik|unngå|undgå|bara|bare|kun|endast|kom ihåg|husk|förbjudet|forbudt|varje gång|hver gang|regel|viktigt?|använd|bruk|brug",
        r"i ?stället|i ?stedet|egentligen|egentlig|jag menade|jeg mente|rättelse|rettelse|hellre|heller|byt|bytt|glöm|glem",
        r"mål(?:et)?|uppgift|oppgave|opgave|jag vill|jeg vil|vi (?:vill|vil|måste|må)",
    ),
    "Finnish": Words(
        r"älä|älkää",
        r"ei|eivät|koskaan|aina|tästä (?:lähtien|eteenpäin|alkaen)|täytyy|pitää|pakko|vältä|muista|vain|ainoastaan|kielletty|joka kerta|sääntö|tärkeää|käytä|varmista|saa|jätä",
        r"sijaan|mieluummin|itse asiassa|oikeastaan|tarkoitin|korjaus|vaihda|unohda|vaan",
        r"tavoite|tehtävä|päämäärä|haluan|haluamme|tarvitsen",
    ),
    "Polish": Words(
        r"nigdy|zawsze|od (?:teraz|dziś|tej pory)|odtąd",
        r"nie|musi(?:sz)?|trzeba|należy|unikaj|pamiętaj|tylko|wyłącznie|zabronione|zakaz|pod żadnym|za każdym razem|zasada|ważne|używaj|upewnij|zostaw",
        r"zamiast|raczej|właściwie|miałem na myśli|poprawka|lepiej|zapomnij|zamień|zmień|lecz",
        r"cel(?:em)?|zadanie|zadaniem|chcę|chciał(?:bym|abym)|potrzebuję",
    ),
    "Czech, Slovak": Words(
        r"nikdy|vždy|odteď|od teď|od nynějška|odteraz|nesmíš|nesmí",
        r"neměň|nemaž|nedotýkej|nepoužívej|nedělej|nemeň|nepoužívaj|musíš|musí|vyhni|pamatuj|pamätaj|pouze|jenom|jen|iba|zakázáno|pokaždé|pravidlo|důležité|používej|používaj|ujisti",
        r"místo|namiesto|raději|radšej|vlastně|myslel|oprava|zapomeň|změň|nýbrž",
        r"cíl(?:em)?|cieľ|úkol|úloha|chci|chcem|potřebuji",
    ),
    "Hungarian": Words(
        r"soha|mindig|mostantól|ezentúl",
        r"ne|nem|kell|tilos|kerüld|csak|kizárólag|emlékezz|jegyezd|minden alkalommal|szabály|fontos|használj|ügyelj",
        r"helyett|inkább|valójában|úgy értem|javítás|felejtsd|cseréld|hanem",
        r"cél|feladat|szeretném|akarom|szükségem",
    ),
    "Romanian": Words(
        r"niciodată|întotdeauna|mereu|de acum (?:înainte|încolo)",
        r"nu|trebuie|evită|asigură|doar|numai|interzis|de fiecare dată|regulă|important|folosește|lasă|ține minte",
        r"în loc de|mai bine|de fapt|am vrut să spun|corecție|uită|schimbă|înlocuiește|ci",
        r"scopul|obiectivul|sarcina|vreau|aș vrea|avem nevoie",
    ),
    "Turkish": Words(
        r"asla|hiçbir (?:zaman|koşulda)|her (?:zaman|seferinde)|daima|bundan (?:sonra|böyle)|artık|sakın|zorunda|gerekir|gerek|gerekiyor|mutlaka|sadece|yalnızca|unutma|yasak",
        r"kural|önemli|kullan\w*|dokunma|yapma|değiştirme|silme|kullanmayın|yapmayın|silmeyin|değiştirmeyin|etmeyin|dokunmayın",
        r"yerine|aslında|demek istedi|düzeltme|daha iyi|vazgeç|değiştir|değil",
        r"amaç|hedef|görev|istiyorum|ihtiyacımız",
    ),
    "Russian": Words(
        r"никогда|всегда|отныне|с этого момента|впредь|с сегодняшнего|больше|не|нельзя|долж(?:ен|на|но|ны)",
        r"надо|нужно|обязательно|избегай(?:те)?|запомни(?:те)?|помни(?:те)?|только|лишь|запрещено|запрещается|ни в коем|ни при каких|следи(?:те)?|каждый раз|правило|важно|используй(?:те)?|оставь(?:те)?",
        r"вместо|лучше|на самом деле|я имел[аи]? в виду|исправ\w*|забудь(?:те)?|замени(?:те)?|поменяй(?:те)?|а не",
        r"цель|задача|задание|хочу|хотел[аи]? бы|хотим|нам нужно|мне нужно",
    ),
    "Ukrainian": Words(
        r"ніколи|завжди|відтепер|надалі|більше|не|повинен|повинна|повинні",
        r"треба|потрібно|обов['’]язково|уникай(?:те)?|лише|тільки|пам['’]ятай(?:те)?|заборонено|в жодному|щоразу|правило|важливо|використовуй(?:те)?|залиш",
        r"замість|краще|насправді|я мав на увазі|виправлення|забудь|заміни|а не",
        r"мета|ціль|завдання|хочу|хотів би|нам потрібно|мені потрібно",
    ),
    "Greek": Words(
        r"ποτέ|πάντα|πάντοτε|από (?:τώρα|εδώ|δω|σήμερα) και|στο εξής|μην?|δεν|πρέπει|απαγορεύεται",
        r"μόνο|θυμήσου|θυμηθείτε|απόφυγε|αποφύγετε|φρόντισε|κάθε φορά|κανόνας|σημαντικό|χρησιμοποίησε|χρησιμοποιείτε|άσε",
        r"αντί|αντ['’] αυτού|καλύτερα|στην πραγματικότητα|εννοούσα|διόρθωση|ξέχνα|άλλαξε|αλλά",
        r"στόχος|σκοπός|εργασία|αποστολή|θέλω|θα ήθελα|χρειάζομαι|πρέπει να",
    ),
    "Vietnamese": Words(
        r"không|luôn(?: luôn)?|đừng|từ (?:nay|giờ|bây giờ)|phải|cấm",
        r"chỉ|nhớ|tránh|đảm bảo|mỗi lần|quy tắc|quan trọng|hãy|sử dụng",
        r"thay vì|thay vào đó|thực ra|ý tôi là|sửa lại|tốt hơn|quên|đổi|mà là",
        r"mục tiêu|nhiệm vụ|tôi (?:muốn|cần)|chúng ta (?:cần|phải)",
    ),
    "Indonesian, Malay": Words(
        r"jangan|selalu",
        r"tidak|tak (?:boleh|perlu|usah|akan|ada)|mulai (?:sekarang|saat ini|hari ini)|harus|mesti|wajib|hanya|ingat|hindari|elakkan|dilarang|pastikan|setiap kali|aturan|peraturan|penting|gunakan|biarkan",
        r"sebagai gantinya|alih-alih|daripada|sebenarnya|maksud saya|koreksi|lebih baik|lupakan|ganti|melainkan",
        r"tujuan|tugas|sasaran|matlamat|saya (?:ingin|mau|perlu|mahu)|kita (?:perlu|harus)",
    ),
    "Arabic": Words(
        "أبدا|أبدًا|دائما|دائمًا|من الآن|منذ الآن|لا ت|لا ي|يجب|ينبغي|ممنوع|تجنب|تذكر|فقط|لا تنس",
        "مهم|قاعدة|استخدم|في كل مرة|إياك|تأكد",
        "بدلا|بدلًا|في الواقع|أقصد|قصدت|تصحيح|الأفضل|انس |غيّر|بل ",
        "الهدف|المهمة|الغاية|أريد|أرغب|نحتاج",
        apart=False,
    ),
    "Hebrew": Words(
        "לעולם|אף פעם|תמיד|מעכשיו|מעתה|אל ת|אסור|חייב|צריך",
        "רק|זכור|תזכור|הימנע|חשוב|כלל|השתמש|תשתמש|בכל פעם|ודא|לא ל",
        "במקום|בעצם|התכוונתי|תיקון|עדיף|שכח|החלף|אלא",
        "המטרה|המשימה|אני רוצה|הייתי רוצה|אנחנו צריכים",
        apart=False,
    ),
    "Persian": Words(
        "هرگز|هیچ.?وقت|همیشه|از این به بعد|از حالا|از اکنون|باید|نباید|نکن|فقط|ممنوع|به یاد",
        "مهم|قانون|استفاده کن|هر بار|مطمئن شو",
        "به جای|در واقع|منظورم|اصلاح|بهتر|فراموش|عوض|بلکه",
        "هدف|وظیفه|می.?خواهم|می.?خوام|نیاز دار",
        apart=False,
    ),
    "Hindi, Marathi": Words(
        "कभी|हमेशा|अब से|आगे से|मत |मत।|न करें",
        "नहीं|चाहिए|ज़रूर|जरूर|केवल|सिर्फ|याद रख|बचें|हर बार|नियम|महत्वपूर्ण|उपयोग कर|प्रयोग कर|ध्यान रख|अवश्य|नेहमी|फक्त",
        "के बजाय|की बजाय|की जगह|असल में|मेरा मतलब|सुधार|बेहतर|भूल जा|बदल|बल्कि",
        "लक्ष्य|उद्देश्य|कार्य|चाहता|चाहती|चाहते|ज़रूरत",
        apart=False,
    ),
    "Bengali": Words(
        "কখনো|কখনও|সবসময়|সর্বদা|এখন থেকে|না।|করবেন না|করো না|কোরো না|অবশ্যই",
        "শুধু|কেবল|মনে রাখ|এড়ি|প্রতিবার|নিয়ম|গুরুত্বপূর্ণ|ব্যবহার কর",
        "পরিবর্তে|বদলে|আসলে|মানে|সংশোধন|ভালো|ভুলে|বরং",
        "লক্ষ্য|উদ্দেশ্য|কাজ হল|চাই",
        apart=False,
    ),
    "Tamil, Telugu": Words(
        "ஒருபோதும்|எப்போதும்|இனிமேல்|வேண்டாம்|கூடாது|வேண்டும்",
        "மட்டும்|நினைவில்|ఎప్పుడూ|ఎల్లప్పుడూ|ఇప్పటి నుండి|చేయవద్దు|వద్దు|తప్పనిసరి|మాత్రమే|గుర్తుంచు|కూడదు|వాడండి|ఉపయోగించ|பயன்படுத்த",
        "பதிலாக|உண்மையில்|బదులుగా|నిజానికి|మార్చ",
        "இலக்கு|நோக்கம்|பணி|விரும்பு|లక్ష్యం|పని|కావాలి",
        apart=False,
    ),
    "Thai": Words(
        "อย่า|ห้าม|เสมอ|ทุกครั้ง|ตั้งแต่นี้|จากนี้|ต่อจากนี้|ต้อง|เท่านั้น|จำไว้|หลีกเลี่ยง|ไม่ควร",
        "ควร|สำคัญ|กฎ|ใช้|ให้แน่ใจ",
        "แทน|ที่จริง|หมายถึง|แก้ไข|ดีกว่า|ลืม|เปลี่ยน|แต่ให้",
        "เป้าหมาย|ภารกิจ|งานคือ|อยากให้|ฉันต้องการ|ผมต้องการ",
        apart=False,
    ),
    "Chinese": Words(
        "绝不|绝对|从不|不要|别|禁止|不准|不许|不得|不能|不可|请勿|勿|务必|必须|一定|始终|总是|永远|从现在|从今|以后|今后|只能|只用",
        "只|仅|记住|记得|注意|避免|应该|应当|千万|每次|规则|重要|请用|请使用|使用|保留|絕不|絕對|從不|不準|從現在|從今|以後|今後|只能|記住|記得|務必|必須|應該|總是|始終|永遠|請勿|規則|請用",
        "改用|改成|换成|換成|改为|改為|而不是|而非|代替|其实|其實|我是说|我的意思|更正|纠正|不对|不對|忘了|还是|還是",
        "目标|目標|任务|任務|目的|我想|我要|我希望|我需要|我们需要|我們需要",
        apart=False,
    ),
    "Japanese": Words(
        "決して|絶対|常に|いつも|必ず|今後|これから|以後|以降|しないで|ないでください|ないこと|禁止",
        "べき|なければ|いけません|いけない|だけ|のみ|覚えて|注意|避け|毎回|ルール|重要|使って|使用(?:し|する|は|のみ|禁止)|厳守|二度と",
        "代わり|かわり|ではなく|じゃなくて|実は|訂正|やっぱり|やはり|むしろ|変更|忘れて",
        "目標|目的|ゴール|タスク|課題|したい|してほしい|必要があ",
        apart=False,
    ),
    "Korean": Words(
        "절대|항상|언제나|앞으로|이제부터|지금부터|하지 ?마|지 ?마|말아|마세요|마십시오|반드시|꼭|해야|안 됩니다|안 돼|안됩니다|금지|만 사용|오직|기억|피하|매번|규칙",
        "중요|사용하|두지",
        "대신|말고|사실|아니라|정정|차라리|바꿔|변경|잊어",
        "목표|목적|작업은|과제|하고 싶|원해|원합니다|필요가",
        apart=False,
    ),
}
