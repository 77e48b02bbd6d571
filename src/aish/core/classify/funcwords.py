"""Words that tell prose from commands, in English and other languages in Latin letters."""

# ruff: noqa: SIM905 - word lists read better as text than as a column of quoted strings

from __future__ import annotations

# Words a command line has no use for outside quotes. Words that are also usual arguments
# (`all`, `test`, `up`, `for`, `in`) are left to the learned weights.
ENGLISH = frozenset(
    """
    a an the this that these those my your our their his her its me you we us they them he she it
    i i'm i'd i'll i've you're we're they're it's that's what's who's where's how's there's here's
    let's don't doesn't didn't can't cannot won't isn't aren't wasn't couldn't shouldn't wouldn't
    hasn't haven't dont doesnt cant wont isnt whats wheres hows
    is are was were be been being am do does did doing done has have had having can could will
    would shall should may might must
    of to with from into onto over under below above between without within about than through
    during against along across behind beside inside outside around instead
    until since while because although whether if unless
    and or but so not nor only just also too very really again already still yet ever never always
    what which who whom whose when where why how whatever whoever
    some any each every both either neither many much more most few several other another such same
    there here then now today yesterday tomorrow please thanks
    by on at as for in
    """.split()
)

# Words that open a question or a request and are no program's name.
OPENERS = frozenset(
    """
    what whats what's how howto hows how's why when where wheres where's who's whose whom whether
    is are was were am does did do has have can could would will should shall may might must
    please explain describe tell give suggest recommend summarize summarise translate
    i i'm i'd i'll i've you we they he she it it's the this that these those there there's a an my
    your our let's lets don't can't
    hello hi hey thanks thank thx ok okay sure great cool perfect sorry
    and but or so because also now actually instead maybe pretty kindly quickly simply
    """.split()
)

# Those after which even a whole command is only being talked about: "explain tar -xzf".
ASKERS = frozenset(
    """
    what whats what's how howto hows how's why when where wheres where's who's whose whether is are
    was were does did can could would will should may please explain describe tell suggest recommend
    summarize summarise translate i i'm i'd i'll i've you we they
    """.split()
)

# Function words and everyday request words of German, Dutch, French, Spanish, Portuguese,
# Italian, Romanian, Polish, Czech, Swedish, Danish, Norwegian, Finnish, Hungarian, Turkish,
# Vietnamese, Indonesian and others; how much a few of them say is left to the learned weights.
FOREIGN = frozenset(
    """
    der die das den dem des ein eine einen einem einer eines und oder aber nicht kein keine ist
    sind war waren hat haben habe wird werden kann kannst können soll sollte muss muß ich du er sie
    wir ihr mich mir dich dir uns euch mein meine meinen meinem dein deine sein seine diese dieser
    dieses diesen diesem wie was wer wo wann warum wieso weshalb welche welcher welches welchen
    wieviel viele
    alle allen aller mit ohne für fuer von vom zu zum zur auf aus bei beim nach über ueber unter
    zwischen durch gegen im ins am als wenn dass daß damit bitte danke hallo guten morgen zeige zeig
    finde suche lösche loesche erstelle starte liste öffne oeffne mache mach gib erkläre
    erklaere kopiere
    verschiebe entferne ändere aendere installiere stoppe beende benenne zähle zaehle prüfe pruefe
    packe entpacke räume vergleiche datei dateien ordner verzeichnis verzeichnisse
    größer groesser kleiner hier noch mal jetzt gerade es gibt
    de het een van voor met zonder niet geen zijn heeft hebben wordt worden kan kun moet ik jij hij
    zij wij jullie mijn jouw deze dit dat hoe wat wie waar wanneer waarom welke hoeveel alle naar
    uit bij tussen onder als installeer kopieer verplaats hernoem zoek toon verwijder maak
    geef bestand bestanden map dank hallo er
    le la les un une des du au aux et ou mais pas ne est sont était ont avec sans pour par dans sur
    sous entre chez je tu il elle nous vous ils elles mon ma mes ton ta tes son sa ses notre votre
    leur ce cet cette ces que qui quoi où quand comment pourquoi combien quel quelle quels quelles
    tous toutes tout toute plus moins très merci bonjour salut montre montrer affiche afficher
    trouve trouver cherche chercher supprime supprimer crée créer liste lister explique tue dossier
    installe installer ouvre lance arrête arrete redémarre redemarre démarre demarre renomme
    déplace compte télécharge telecharge vérifie verifie copie
    fichier fichiers répertoire ici
    el los las una unos unas y o pero no es son está están fue hay con sin para por en del al
    sobre entre yo tú él ella nosotros ellos mi mis tu tus su sus este esta estos estas ese esa
    qué que quién cómo como cuándo cuando dónde donde cuál cual cuántos cuantos cuántas cuánto
    cuanto porque más mas menos muy todos todas todo toda gracias hola muestra muéstrame mostrar
    busca buscar encuentra borra borrar elimina eliminar crea crear lista dime explica instala
    archivo archivos carpeta carpetas fichero ficheros directorio disco favor puedo puedes quiero
    necesito hacer abre inicia reinicia detén deten copia mueve renombra cuenta descarga comprueba
    ejecuta comprime
    os uma umas uns e mas não é são foi tem há com sem por para em do da dos das no na nos nas ao
    sobre eu você ele nós eles meu minha meus minhas este esta isto esse essa isso quem como quando
    onde qual quais quantos quantas quanto todos todas tudo muito mais menos obrigado obrigada olá
    mostre mostra encontre procure apague apaga exclua crie liste explique arquivo arquivos pasta
    pastas diretório existem nesta neste instale abra inicie reinicie mova renomeie baixe verifique
    il lo gli i uno una ma non è sono era ha hanno con senza per di da del della dei delle nel
    nella nei sul sulla al alla io tu lui lei noi voi loro mio mia miei mie questo questa questi
    queste quello che chi come quando dove perché perche quale quali quanto quanti quante tutti
    tutte tutto molto più grazie ciao mostra mostrami trova cerca cancella elimina crea elenca
    spiega file cartella cartelle faccio posso ho spazio installa apri avvia ferma riavvia sposta
    rinomina conta scarica controlla esegui comprimi
    și si sau dar nu este sunt cu fără pentru în din pe acest această aceste ce cine cum când unde
    câte câți cât toate tot mulțumesc salut arată găsește șterge fișier fișiere director
    i oraz lub ale nie jest są był mam ma z bez dla w we na od do po przez ten ta te tym tej co kto
    jak kiedy gdzie dlaczego ile który która które wszystkie wszystko dziękuję cześć pokaż znajdź
    usuń utwórz plik pliki plików katalog katalogu
    a nebo ale ne je jsou byl má s bez pro v ve na od do ten ta to co kdo jak kdy kde proč kolik
    který všechny děkuji ahoj ukaž najdi smaž vytvoř soubor soubory souborů
    och eller men inte är var har med utan för av till på från om jag du han hon vi ni de min mitt
    mina din den det denna detta vad vem hur när var varför vilken vilka många alla tack hej visa
    hitta ta bort skapa fil filer mapp mappen finns
    og eller ikke er var har med uten uden for af av til fra på jeg vi min mit den det dette hva
    hvad hvem hvordan hvornår når hvor hvorfor hvilken hvilke mange alle takk tak hei hej vis finn
    find slet slett lag opret fil filer mappe mappen der
    ja tai mutta ei on ovat oli kanssa ilman minä sinä hän tämä tässä nämä mitä mikä kuka miten
    milloin missä miksi kuinka monta kaikki kiitos hei näytä etsi poista luo tiedosto tiedostot
    és vagy de nem van vannak volt ez ebben az egy mi ki hogyan mikor hol miért hány mennyi minden
    köszönöm szia mutasd keresd töröld fájl fájlok mappa
    ve veya ama değil var yok ile için bu şu o bir ne kim nasıl neden niçin nerede kaç hangi tüm
    bütün teşekkürler merhaba göster bul sil oluştur dosya dosyalar dosyaları klasör klasörde
    và hoặc nhưng không là có với cho của này kia ai gì sao thế nào bao nhiêu tất cả cảm ơn xin
    chào hiển thị tìm xóa tạo tệp thư mục trong
    dan atau tetapi tidak bukan adalah ada dengan tanpa untuk dari ke di pada ini itu saya kamu
    apa siapa bagaimana kapan mana kenapa mengapa berapa banyak semua terima kasih halo tampilkan
    cari hapus buat berkas folder tolong
    """.split()
)

# Verbs people give orders with that are no widely known program's name.
IMPERATIVES = frozenset(
    """
    activate add adjust allow analyse analyze answer append apply arrange assign attach authenticate
    back backup begin benchmark block boost bring browse build bump calculate cancel capture change
    check choose clean clone close collect combine commit compile compress compute concatenate
    configure connect consider copy correct count create crop deactivate debug decode decompress
    decrease decrypt define delete demonstrate deploy detach detect determine diagnose disconnect
    discover display divide do document double download draft drop dump duplicate edit eliminate
    empty encode encrypt ensure enter erase estimate evaluate examine exclude execute explore
    extract fetch figure fill filter fix flush follow force forget format forward generate get give
    grab group guess guide hide highlight identify ignore implement improve include increase inform
    initialise initialize insert inspect inspire invert invoke keep launch learn leave list load log
    lower map mark match measure merge minify modify monitor move mute normalise normalize notify
    optimise optimize organise organize output overwrite pack pause perform pick plot prepare
    prevent process produce profile protect prove provide pull purge push put query quit raise
    re-run rearrange rebuild recompile record recover recursively redirect reduce refactor refresh
    reinstall reload remind remove reorder repair repeat replace report request resize resolve
    restart restore restrict resume retrieve reverse revert review rewrite roll rotate round save
    scan schedule search send separate share shorten show shrink shut simplify skip solve sort
    speed squash start stop store submit subtract sum swap switch synchronise synchronize tail take
    teach terminate toggle trace track transfer transform translate truncate try tune turn
    uncompress undo uninstall unlock unmute unpack unzip update upgrade upload use validate verify
    view visit visualise visualize warn wipe wrap
    """.split()
)

# What programs and files are said to do: "nginx returns 502", "`ls` hangs".
VERBS = frozenset(
    """
    is isn't isnt are was were has hasn't does doesn't doesnt did didn't can can't cant cannot will
    won't should shouldn't must might may would needs wants takes took gives gave says said tells
    shows showed prints printed returns returned fails failed hangs hung crashes crashed stops
    stopped starts started works worked runs ran keeps kept looks seems seemed gets got goes went
    becomes became eats uses used throws threw raises raised complains refuses exits exited ignores
    makes produces outputs reports stays remains freezes froze misses lacks owns listens opens
    closes sends reads writes changes breaks broke means contains belongs depends behaves asks
    wrote made changed knows thinks likes tends appears causes
    """.split()
)

# Programs whose arguments are free text: what they are told says nothing about who is spoken to.
FREE_TEXT = frozenset(
    "echo printf cowsay cowthink figlet toilet banner espeak notify-send wall logger "
    "llm sgpt aichat".split()
)

# Programs for which any single word is the name of a file or directory.
FILE_TAKERS = frozenset(
    """
    cd ls ll cat less more head tail vim vi nvim nano emacs code rm mkdir rmdir touch file stat wc
    du tree pushd source bat chmod open xdg-open
    """.split()
)

# One-word lines that speak to someone, where the shell knows no command of that name.
CHAT = frozenset(
    """
    hello hi hey hiya howdy greetings thanks thank thx ty cheers bye goodbye ok okay k yep yup yeah
    yea nope nah no sure great cool nice awesome perfect wonderful excellent amazing good bad wow
    oops ouch hmm huh sorry please why what how when where really seriously indeed exactly correct
    right wrong agreed done again next more stop abort cancel undo redo retry proceed continue go
    explain summarize summarise elaborate simplify translate describe wait first second third last
    both neither none all everything nothing something anything maybe perhaps never always
    faster slower shorter longer simpler better bigger smaller cleaner nicer clearer nevermind
    hallo danke bitte ja nein moin servus tschüss warum wieso genau weiter
    bonjour salut merci oui non pourquoi encore hola gracias adiós adios sí si porque vale
    ciao grazie perché prego olá obrigado obrigada sim não dank bedankt waarom hoi
    cześć dzięki dziękuję tak nie hej tack ja nej varför hei takk kiitos moi miksi
    merhaba teşekkürler evet hayır neden szia köszönöm igen nem ahoj děkuji ano proč salut mulțumesc
    halo terimakasih ya tidak kenapa xin
    buongiorno buonasera goedemorgen goedendag bonsoir buenas bomdia moien grüezi hallå ahoi
    """.split()
)
