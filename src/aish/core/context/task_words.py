"""Tasks of the moment: what a sentence asks to be done now, and is then done with."""

# ruff: noqa: E501 - one language's words stay on one line

from __future__ import annotations

from aish.core.patterns import late

_TYPOGRAPHY = str.maketrans("", "", "“”‘’„«»–—…·•→✓")

# What a sentence begins with that is to be done now and is then done with.
_LEAD = (
    r"(?:(?:please|pls|now|and|then|ok(?:ay)?|so|next|also|just|great|good|thanks|thank you|hello|hi|hey|yes|yeah|yep|sure|hm+|right|well|oh|ah|alright|cool|perfect|nice|now then|"
    r"bitte|nun|dann|und|jetzt|gut|danke|hallo|alors|maintenant|et|puis|merci|bonjour|ahora|luego|y|entonces|gracias|hola|"
    r"теперь|потом|и|затем|спасибо|пожалуйста|привет|请|现在|然后|再|那|帮我|麻烦|谢谢|你好)[\s,:：，!！]*)*"
)
_TASKS = (
    r"(?P<english>(?:show|list|find|rename|run|explain|fix|add|write|create|check|open|install|print|count|search|grep|look|tell me (?:what|why|how|which|where|who|about)|describe|compare|summari[sz]e|"
    r"convert|copy|move|delete|remove|download|build|compile|test|deploy|restart|start|update|generate|refactor|implement|debug|give me|read|go (?:on|ahead)|continue|try|get|see|do (?:it|that|this)|"
    r"help me|can you|could you|would you|will you|translate|draw|sort|merge|commit|push|pull|clone|extract|rewrite|review|walk me|plot|parse|lint|format|kill|empty|(?:un)?mount|export|rotate|zoom|unpack|unzip|crop|resize|upload|undo|redo|revert|retry|rerun|scroll|close|ping|tail|dump|gimme|let me (?:think|see|check|try|know)|let['’]s see|hold on|hang on|wait a|one (?:sec|second|moment|minute)|same (?:again|for|with|thing)|the same)\b)|"
    r"(?:zeige?|liste|finde?|suche?|benenne|führe?|erkläre?|behebe?|füge?|schreibe?|erstelle?|prüfe?|öffne|installiere?|zähle?|vergleiche?|fasse?|kopiere?|verschiebe?|lösche?|baue?|teste?|starte?|lies|mach weiter|weiter)\b|"
    r"(?:affiche|relis(?:-moi)?|redémarre|exporte|envoie|télécharge|montre(?:-moi)?|liste|trouve|cherche|renomme|lance|explique|corrige|ajoute|écris|crée|vérifie|ouvre|installe|compte|compare|résume|copie|déplace|supprime|teste|démarre|lis|continue)\b|"
    r"(?:reinicia|exporta|ordena|envía|descarga|vuelve a|muestra|muéstrame|lista|busca|encuentra|renombra|ejecuta|explica|corrige|añade|escribe|crea|revisa|abre|instala|cuenta|compara|resume|copia|mueve|borra|prueba|inicia|lee|continúa|sigue)\b|"
    r"(?:покажи|найди|переименуй|запусти|объясни|исправь|добавь|напиши|создай|проверь|открой|установи|посчитай|сравни|скопируй|перенеси|удали|прочитай|продолжай)(?:те)?\b|"
    r"显示|列出|找|查|重命名|运行|解释|修复|添加|写|创建|检查|打开|安装|比较|总结|复制|移动|删除|测试|启动|重启|导出|排序|读|继续|看看|給|给我"
)
# Said of a task, these tell how such things are to be done from then on: "write the dates like 2026-11-17".
_MANNER = (
    r"like|the way|each|every|any|whenever|jede\w*|chaque|cada|ogni|кажд\w+|(?<=s )with(?:out)?|(?<=n )mit|(?<=n )ohne|(?<=s )avec|(?<=s )con|as (?:an?|if|plain|text|json|tables?|lists?|markdown)|in (?:english|german|french|spanish|italian|portuguese|dutch|polish|russian|chinese|japanese|korean|turkish|british|american|capitals|plain|full|short|simple|lower|upper|metric|utc|cents|markdown|one|two|small|present|past|past tense|the (?:style|format|form|manner|order) of)|"
    r"(?<!the )first[.!]*$|first,|beforehand|before \w+ing|after \w+ing|until|nothing|nowhere|nobody|no one|without|ohne|sans|sin|senza|sem|без|less|fewer|shorter|longer|simpler|smaller|slower|briefly|simply|slowly|carefully|politely|sparingly|gently|twice|(?<!how )often|regularly|daily|weekly|hourly|on (?:mon|tues|wednes|thurs|fri|satur|sun)days|on weekends|at night|after hours|"
    r"by default|in general|normally|usually|one (?:at a time|by one|per)|at a time|per (?:file|line|commit|change|function|answer|day|week)|in (?:small|separate|that|this) (?:steps|order|commits|files|style|format|form)|"
    r"zuerst|vorher|zunächst|nichts|nirgends|niemand|kürzer|knapper|knapp|einfacher|langsamer|langsam|weniger|höflich\w*|ausführlich\w*|zweimal|regelmäßig|täglich|nachts|montags|freitags|"
    r"d['’]abord|en premier|avant de|rien|personne|moins|plus (?:court|simple|lent)\w*|brièvement|simplement|lentement|poliment|deux fois|la nuit|"
    r"primero|antes de|nada|nadie|menos|más (?:corto|simple|lento)\w*|brevemente|despacio|dos veces|de noche|prima di|niente|nulla|meno|più (?:corto|semplice|breve)\w*|primeiro|mais (?:curto|simples)|"
    r"сначала|сперва|ничего|короче|проще|меньше|медленнее|вежлив\w*|кратко|подробн\w*|дважды|ночью|"
    r"so wie|wie (?:im|in|bei)|auf (?:deutsch|englisch|französisch)|als (?:tabelle|liste|text)|einzeln|der reihe nach|pro (?:datei|zeile|commit)|"
    r"comme|en (?:français|anglais|allemand|minuscules|majuscules|une ligne)|un par un|par (?:fichier|ligne|commit)|como|en (?:español|inglés|minúsculas|mayúsculas)|uno por uno|por (?:archivo|línea|commit)|"
    r"как|по-русски|по-английски|по одному|в (?:формате|виде|стиле)"
)
_IS = (
    r"is|are|was|were|has|have|can|cannot|can['’]t|will|won['’]t|may|do|does|don['’]t|matters?|counts?|wins?|breaks?|fails?|uses?|wants?|requires?|expects?|depends?|applies|stops?|closes?|opens?|covers?|includes?|excludes?|owns?|keeps?|hates?|loves?|prefers?|belongs?|goes|go|comes?|stays?|needs?|must|should|gets?|runs?|happens?|takes?|lives?|contains?|holds?|means?|costs?|ends?|begins?|remains?|"
    r"ist|sind|war|hat|haben|gehört|gehören|bleibt|bleiben|läuft|enthält|est|sont|appartient|reste|contient|es|son|está|están|tiene|contiene|è|sono|ha|é|são|tem"
)
# A word that is a task alone and a thing in "test data is real", "commit messages are in English".
_THING = late(
    rf"[a-zäöüß]+(?: (?!what|which|who|why|how|if|whether|that|the|an?|it|this|these|those|my|your|our|me|there|was|wer|wie|ob|dass|d(?:er|ie|as|en)|si|qui|que|quel)[^\W\d_]+){{0,2}}(?: (?:{_IS})(?!\w)|:\s)"
    "|[\u3400-\u9fff]{2,12}(?:是(?![不否])|属于|归|不|为|都)"
)
# Things of a kind and none in particular: "print paths relative to the root"; what is looked for is none.
_GENERAL = late(
    r"(?:print|write|add|format|commit|test|sort|deploy|build|merge|push|review|read|create|explain|describe|give|translate|convert|update|start) [a-z]{3,}s(?! (?:of|from|for|to) )\b"
    r"|(?:print|write|format|commit|test|sort|deploy|build|lint|merge|push|review|read|create|generate|explain|describe|translate|implement|parse|plot|draw|start) "
    r"(?!(?:the|an|it|this|that|these|those|me|my|your|our|all|to|up|out|down|in|on|for|with|from)\b)[a-z]{3,} (?:with|in|as|via|through|using|by|under|behind|into)\b"
    r"|(?:schreibe?|teste?|prüfe?|erkläre?|baue?|erstelle?|starte?) (?!d(?:en|ie|as|er|em)\b|eine?|(?:mir|uns|bitte|mal|nach|es|sie|ihn|jetzt|noch)\b|alle)[a-zäöüß]{4,}(?:en|s|e)\b"
    r"|(?:écris|ajoute|teste|vérifie|explique|crée|lis) (?:des|les) [a-zà-ÿ]{3,}s(?! d)|(?:escribe|añade|prueba|revisa|explica|crea|lee) (?!los|las|unos|unas)[a-zà-ÿ]{3,}s(?! de)\b"
)
_HOW = late(
    rf"(?<!\w)(?:{_MANNER})(?!\w)|用.{{1,8}}(?:写|格式|风格)|按|先|不是|简短|简单|详细|慢|两遍|什么都|, (?:but )?(?:not|nicht|kein\w*|pas|no|non|não|nie|niet|geen|inte|ikke|не|а не) "
)
# Tasks in other languages; not every form is known, so they are only the first to give way.
_TASK_ELSEWHERE = late(
    r"(?:per favore |por favor |alsjeblieft |proszę |prosím |kérlek |te rog |lütfen )?(?:mostra(?:mi)?|aprimi|dammi|dimmi|fammi|fai vedere|trovami|leggimi|elenca|trova|cerca|rinomina|esegui|lancia|spiega(?:mi)?|correggi|aggiungi|controlla|apri|installa|conta|confronta|riassumi|sposta|cancella|elimina|avvia|riavvia|leggi|mostre|liste|encontre|procure|renomeie|execute|rode|explique|corrija|adicione|crie|verifique|abra|instale|conte|compare|resuma|mova|apague|exclua|inicie|reinicie|leia|roda|abre|me mostra|faz|manda|"
    r"laat .{0,40} zien|toon|zoek|vind|hernoem|draai|leg uit|voeg|maak|controleer|installeer|tel|vergelijk|kopieer|verplaats|verwijder|wis|herstart|lees|visa|vis|hitta|finn|sök|søk|søg|kör|kjør|kør|förklara|forklar|fixa|fiks|lägg till|legg til|tilføj|skapa|opret|kolla|sjekk|tjek|öppna|åpne|åbn|installera|räkna|tæl|jämför|sammanfatta|flytta|flytt|ta bort|slett|slet|starta|läs|les|læs|"
    r"näytä|etsi|listaa|aja|selitä|korjaa|lisää|luo|tarkista|avaa|asenna|laske|vertaa|kopioi|siirrä|poista|käynnistä|lue|pokaż|wypisz|znajdź|uruchom|wyjaśnij|napraw|dodaj|napisz|utwórz|stwórz|sprawdź|otwórz|zainstaluj|policz|porównaj|podsumuj|skopiuj|przenieś|usuń|przetestuj|przeczytaj|ukaž|vypiš|najdi|nájdi|přejmenuj|spusť|vysvětli|oprav|přidej|vytvoř|zkontroluj|otevři|nainstaluj|spočítej|porovnej|shrň|přesuň|smaž|zmaž|přečti|"
    r"mutasd|listázd|keresd|futtasd|magyarázd|javítsd|ellenőrizd|nyisd|telepítsd|töröld|olvasd|arată|listează|caută|găsește|rulează|explică|repară|adaugă|verifică|deschide|instalează|numără|compară|șterge|citește|"
    r"покажіть|покажи|знайди|перейменуй|запусти|поясни|виправ|додай|створи|перевір|відкрий|встанови|порахуй|порівняй|скопіюй|перенеси|видали|прочитай|δείξε|βρες|τρέξε|εξήγησε|διόρθωσε|πρόσθεσε|έλεγξε|άνοιξε|εγκατάστησε|μέτρησε|σύγκρινε|διάγραψε|διάβασε|hiển thị|liệt kê|tìm|chạy|giải thích|sửa|thêm|kiểm tra|mở|cài|đếm|so sánh|xóa|đọc|tampilkan|tunjukkan|cari|jalankan|jelaskan|perbaiki|tambahkan|periksa|buka|pasang|hitung|bandingkan|hapus|baca|coba (?:tampilkan|cek|lihat|jalankan))(?!\w)"
    r"|.*(?<!\w)(?:göster|listele|bul|çalıştır|açıkla|düzelt|ekle|kontrol et|aç|kur|say|karşılaştır|özetle|kopyala|taşı|sil|başlat|oku)(?:ir misin|sene)?[.!]*$"
    "|.*(?:見せ|教え|調べ|探し|実行し|説明し|直し|作っ|確認し|開い|消し|削除し|追加し|起動し|比較し|まとめ|表示し|一覧にし)て(?:ください|下さい|くれ|ね|よ|ほしい)?[。.!！]*$"
    "|.*(?:して|やって|試して)みて(?:ください|下さい)?[。.!！]*$|もう一度|.*(?:给我看|看一下|看看|(?:跑|试|运行|来)一(?:次|遍|下))[。.!！]*$"
    "|.*(?:보여|알려|찾아|실행해|설명해|고쳐|만들어|확인해|열어|삭제해|추가해|비교해|요약해|지워|시작해|읽어)(?: ?주세요| ?줘요?| ?주십시오|라)?[.!]*$"
    "|.*(?:दिखाओ|दिखाएँ|दिखाइए|चलाओ|खोलो|बताओ)[।.!]*$|(?:أعد|اعرض|أظهر|ابحث|شغل|اشرح|أصلح|أضف|افتح|ثبت|احذف|اقرأ|הצג|תראה|מצא|חפש|הרץ|הסבר|תקן|הוסף|בדוק|פתח|מחק|نشان بده|پیدا کن|اجرا کن|توضیح بده|खोजो|समझाओ)"
)
_TASK = late(rf"[\"'«“„¿¡(*•\s-]*{_LEAD}(?P<task>{_TASKS})")


def is_task(lower: str) -> bool:
    """Whether a sentence is to be done now; not so if it tells how, or speaks of the thing."""
    found = _TASK.match(lower)
    if found is None or _HOW.search(lower, found.end()) is not None:
        return False
    if _GENERAL.match(lower, found.start("task")) is not None:
        return False
    if found["english"] and not lower.translate(_TYPOGRAPHY).isascii():
        return False  # "Test veritabanında": the word is English, the sentence is not
    return _THING.match(lower, found.start("task")) is None


def is_task_elsewhere(lower: str) -> bool:
    """Whether a sentence is probably a task in a language of which only the verbs are known."""
    found = _TASK_ELSEWHERE.match(lower)
    return found is not None and _HOW.search(lower) is None
