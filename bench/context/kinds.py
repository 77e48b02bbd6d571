"""Seventy-two kinds of text that a conversation may carry: languages, code, data, logs, noise."""

# ruff: noqa: E501 - sentences and code stay in one piece
from __future__ import annotations

import base64
import hashlib
import inspect
import json
import random
import textwrap
import uuid

# The first article of the Universal Declaration of Human Rights.
LANGUAGES = {
    "English": "All human beings are born free and equal in dignity and rights. They are endowed with reason and conscience and should act towards one another in a spirit of brotherhood.",
    "German": "Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen begabt und sollen einander im Geist der Brüderlichkeit begegnen.",
    "French": "Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison et de conscience et doivent agir les uns envers les autres dans un esprit de fraternité.",
    "Spanish": "Todos los seres humanos nacen libres e iguales en dignidad y derechos y, dotados como están de razón y conciencia, deben comportarse fraternalmente los unos con los otros.",
    "Portuguese": "Todos os seres humanos nascem livres e iguais em dignidade e em direitos. Dotados de razão e de consciência, devem agir uns para com os outros em espírito de fraternidade.",
    "Italian": "Tutti gli esseri umani nascono liberi ed eguali in dignità e diritti. Essi sono dotati di ragione e di coscienza e devono agire gli uni verso gli altri in spirito di fratellanza.",
    "Dutch": "Alle mensen worden vrij en gelijk in waardigheid en rechten geboren. Zij zijn begiftigd met verstand en geweten, en behoren zich jegens elkander in een geest van broederschap te gedragen.",
    "Swedish": "Alla människor är födda fria och lika i värde och rättigheter. De är utrustade med förnuft och samvete och bör handla gentemot varandra i en anda av broderskap.",
    "Danish": "Alle mennesker er født frie og lige i værdighed og rettigheder. De er udstyret med fornuft og samvittighed, og de bør handle mod hverandre i en broderskabets ånd.",
    "Norwegian": "Alle mennesker er født frie og med samme menneskeverd og menneskerettigheter. De er utstyrt med fornuft og samvittighet og bør handle mot hverandre i brorskapets ånd.",
    "Icelandic": "Hver maður er borinn frjáls og jafn öðrum að virðingu og réttindum. Menn eru gæddir vitsmunum og samvizku, og ber þeim að breyta bróðurlega hverjum við annan.",
    "Finnish": "Kaikki ihmiset syntyvät vapaina ja tasavertaisina arvoltaan ja oikeuksiltaan. Heille on annettu järki ja omatunto, ja heidän on toimittava toisiaan kohtaan veljeyden hengessä.",
    "Estonian": "Kõik inimesed sünnivad vabadena ja võrdsetena oma väärikuselt ja õigustelt. Neile on antud mõistus ja südametunnistus ja nende suhtumist üksteisesse peab kandma vendluse vaim.",
    "Hungarian": "Minden emberi lény szabadon születik és egyenlő méltósága és joga van. Az emberek, ésszel és lelkiismerettel bírván, egymással szemben testvéri szellemben kell hogy viseltessenek.",
    "Polish": "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. Są oni obdarzeni rozumem i sumieniem i powinni postępować wobec innych w duchu braterstwa.",
    "Czech": "Všichni lidé se rodí svobodní a sobě rovní co do důstojnosti a práv. Jsou nadáni rozumem a svědomím a mají spolu jednat v duchu bratrství.",
    "Romanian": "Toate ființele umane se nasc libere și egale în demnitate și în drepturi. Ele sunt înzestrate cu rațiune și conștiință și trebuie să se comporte unele față de altele în spiritul fraternității.",
    "Croatian": "Sva ljudska bića rađaju se slobodna i jednaka u dostojanstvu i pravima. Ona su obdarena razumom i sviješću i trebaju jedna prema drugima postupati u duhu bratstva.",
    "Lithuanian": "Visi žmonės gimsta laisvi ir lygūs savo orumu ir teisėmis. Jiems suteiktas protas ir sąžinė ir jie turi elgtis vienas kito atžvilgiu kaip broliai.",
    "Turkish": "Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. Akıl ve vicdana sahiptirler ve birbirlerine karşı kardeşlik zihniyeti ile hareket etmelidirler.",
    "Indonesian": "Semua orang dilahirkan merdeka dan mempunyai martabat dan hak-hak yang sama. Mereka dikaruniai akal dan hati nurani dan hendaknya bergaul satu sama lain dalam semangat persaudaraan.",
    "Vietnamese": "Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền lợi. Mọi con người đều được tạo hóa ban cho lý trí và lương tâm và cần phải đối xử với nhau trong tình anh em.",
    "Swahili": "Watu wote wamezaliwa huru, hadhi na haki zao ni sawa. Wote wamejaliwa akili na dhamiri, hivyo yapasa watendeane kindugu.",
    "Basque": "Gizon-emakume guztiak aske jaiotzen dira, duintasun eta eskubide berberak dituztela; eta ezaguera eta kontzientzia dutenez gero, elkarren artean senide legez jokatu beharra dute.",
    "Welsh": "Genir pawb yn rhydd ac yn gydradd â'i gilydd mewn urddas a hawliau. Fe'u cynysgaeddir â rheswm a chydwybod, a dylai pawb ymddwyn y naill at y llall mewn ysbryd cymodlon.",
    "Greek": "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα. Είναι προικισμένοι με λογική και συνείδηση, και οφείλουν να συμπεριφέρονται μεταξύ τους με πνεύμα αδελφοσύνης.",
    "Russian": "Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью и должны поступать в отношении друг друга в духе братства.",
    "Ukrainian": "Всі люди народжуються вільними і рівними у своїй гідності та правах. Вони наділені розумом і совістю і повинні діяти у відношенні один до одного в дусі братерства.",
    "Bulgarian": "Всички хора се раждат свободни и равни по достойнство и права. Те са надарени с разум и съвест и следва да се отнасят помежду си в дух на братство.",
    "Arabic": "يولد جميع الناس أحرارًا متساوين في الكرامة والحقوق. وقد وهبوا عقلاً وضميرًا وعليهم أن يعامل بعضهم بعضًا بروح الإخاء.",
    "Persian": "تمام افراد بشر آزاد به دنیا می‌آیند و از لحاظ حیثیت و حقوق با هم برابرند. همه دارای عقل و وجدان هستند و باید نسبت به یکدیگر با روح برادری رفتار کنند.",
    "Hebrew": "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם. כולם חוננו בתבונה ובמצפון, לפיכך חובה עליהם לנהוג איש ברעהו ברוח של אחווה.",
    "Hindi": "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है। उन्हें बुद्धि और अन्तरात्मा की देन प्राप्त है और परस्पर उन्हें भाईचारे के भाव से बर्ताव करना चाहिए।",
    "Bengali": "সমস্ত মানুষ স্বাধীনভাবে সমান মর্যাদা এবং অধিকার নিয়ে জন্মগ্রহণ করে। তাঁদের বিবেক এবং বুদ্ধি আছে; সুতরাং সকলেরই একে অপরের প্রতি ভ্রাতৃত্বসুলভ মনোভাব নিয়ে আচরণ করা উচিত।",
    "Tamil": "மனிதப் பிறிவியினர் சகலரும் சுதந்திரமாகவே பிறக்கின்றனர்; அவர்கள் மதிப்பிலும், உரிமைகளிலும் சமமானவர்கள், அவர்கள் நியாயத்தையும் மனச்சாட்சியையும் இயற்பண்பாகப் பெற்றவர்கள்.",
    "Thai": "มนุษย์ทั้งปวงเกิดมามีอิสระและเสมอภาคกันในศักดิ์ศรีและสิทธิ ต่างมีเหตุผลและมโนธรรม และควรปฏิบัติต่อกันด้วยเจตนารมณ์แห่งภราดรภาพ",
    "Georgian": "ყველა ადამიანი იბადება თავისუფალი და თანასწორი თავისი ღირსებითა და უფლებებით. მათ მინიჭებული აქვთ გონება და სინდისი და ერთმანეთის მიმართ უნდა იქცეოდნენ ძმობის სულისკვეთებით.",
    "Chinese": "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。",
    "Chinese, traditional": "人人生而自由，在尊嚴和權利上一律平等。他們賦有理性和良心，並應以兄弟關係的精神相對待。",
    "Japanese": "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。人間は、理性と良心とを授けられており、互いに同胞の精神をもって行動しなければならない。",
    "Korean": "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 이성과 양심을 부여받았으며 서로 형제애의 정신으로 행동하여야 한다.",
}

C = """#include <stdio.h>\n\nint main(int argc, char **argv)\n{\n\tfor (int i = 1; i < argc; i++) {\n\t\tif (argv[i][0] == '-' && argv[i][1] != '\\0') {\n\t\t\tfprintf(stderr, "unknown option %s\\n", argv[i]);\n\t\t\treturn 2;\n\t\t}\n\t\tprintf("%d: %s\\n", i, argv[i]);\n\t}\n\treturn 0;\n}\n"""
RUST = """impl<'a, T: Display + Send> Widget<'a, T> {\n    pub fn render(&mut self, area: Rect, buf: &mut Buffer) -> Result<(), RenderError> {\n        let lines = self.items.iter().filter(|i| i.visible).map(|i| i.to_string()).collect::<Vec<_>>();\n        for (n, line) in lines.iter().enumerate().take(area.height as usize) {\n            buf.set_string(area.x, area.y + n as u16, line, Style::default());\n        }\n        Ok(())\n    }\n}\n"""
GO = """func (s *Server) handle(w http.ResponseWriter, r *http.Request) {\n\tctx, cancel := context.WithTimeout(r.Context(), 5*time.Second)\n\tdefer cancel()\n\trows, err := s.db.QueryContext(ctx, "SELECT id, name FROM users WHERE age > $1", 21)\n\tif err != nil {\n\t\thttp.Error(w, err.Error(), http.StatusInternalServerError)\n\t\treturn\n\t}\n\tdefer rows.Close()\n}\n"""
SQL = """SELECT c.customer_id, c.name, SUM(o.total) AS spent\nFROM customers c LEFT JOIN orders o ON o.customer_id = c.customer_id\nWHERE o.created_at >= '2024-01-01' AND c.country IN ('DE', 'FR')\nGROUP BY c.customer_id, c.name HAVING SUM(o.total) > 1000 ORDER BY spent DESC LIMIT 20;\n"""
SHELL = """for f in "$HOME"/logs/*.log; do\n  [ -s "$f" ] || continue\n  n=$(grep -c ERROR "$f"); printf '%-40s %6d\\n' "${f##*/}" "$n"\ndone | sort -k2,2nr | head -n 20 | tee /tmp/errors.txt 2>&1\nfind . -type f -name '*.py' -mtime -7 -print0 | xargs -0 sed -i 's/\\bfoo\\b/bar/g'\n"""
JS = """!function(e,t){"object"==typeof exports&&"undefined"!=typeof module?t(exports):(e=e||self,t(e.Lib={}))}(this,function(e){"use strict";var n=Object.assign||function(e){for(var t=1;t<arguments.length;t++){var n=arguments[t];for(var r in n)Object.prototype.hasOwnProperty.call(n,r)&&(e[r]=n[r])}return e};e.merge=n});\n"""
HTML = """<!doctype html>\n<html lang="en">\n  <head><meta charset="utf-8"><title>Report</title></head>\n  <body>\n    <div class="grid grid-cols-2 gap-4" id="main"><p data-x="1">Total: <b>42</b></p></div>\n    <script src="/static/app.min.js?v=1.2.3" defer></script>\n  </body>\n</html>\n"""
CSS = """.btn-primary:hover{background-color:#1f6feb;border-radius:.375rem;padding:.5rem 1rem;transition:all .2s ease-in-out}\n@media (max-width:640px){.sidebar{display:none!important}.main{margin-left:0}}\n"""
YAML = """apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  labels: {app: web, tier: frontend}\nspec:\n  replicas: 3\n  template:\n    spec:\n      containers:\n        - name: web\n          image: registry.example.com/web:1.4.2\n          resources:\n            limits: {cpu: 500m, memory: 256Mi}\n"""
TOML = """[project]\nname = "demo"\nversion = "0.3.1"\nrequires-python = ">=3.11"\ndependencies = ["msgspec>=0.18", "urllib3>=2"]\n\n[tool.ruff.lint]\nselect = ["E", "F", "I"]\n"""
MARKDOWN = """# Release notes\n\n- **Fixed** a crash when `--watch` met a broken symlink ([#412](https://example.com/412)).\n- Added *two* options:\n  1. `--since DATE`\n  2. `--until DATE`\n\n| option | default |\n|---|---|\n| `since` | none |\n\n> Note: old settings go on working.\n"""
LATEX = r"""\begin{align}\int_{-\infty}^{\infty} e^{-x^2}\,dx &= \sqrt{\pi} \\ \sum_{k=0}^{n}\binom{n}{k}x^{k}y^{n-k} &= (x+y)^{n} \label{eq:binom}\end{align} As Theorem~\ref{thm:main} shows, $\forall \varepsilon>0\,\exists \delta>0$."""
TRACE = """Traceback (most recent call last):\n  File "/srv/app/worker.py", line 118, in run\n    result = self._queue.get(timeout=self._timeout)\n  File "/usr/lib/python3.11/queue.py", line 179, in get\n    raise Empty\n_queue.Empty\n\nDuring handling of the above exception, another exception occurred:\nRuntimeError: worker 7 starved for 30.0 s (queue=jobs-high)\n"""
DIFF = """diff --git a/src/app.py b/src/app.py\nindex 3f2a91c..b81d2e4 100644\n--- a/src/app.py\n+++ b/src/app.py\n@@ -12,7 +12,9 @@ def main() -> int:\n     options = parse()\n-    return run(options)\n+    try:\n+        return run(options)\n+    except KeyboardInterrupt:\n+        return 130\n"""
MAKE = """.PHONY: all clean\nCFLAGS ?= -O2 -Wall -Wextra\nall: $(patsubst %.c,%.o,$(wildcard *.c))\n\t$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)\n%.o: %.c common.h\n\t$(CC) $(CFLAGS) -c -o $@ $<\nclean:\n\trm -f *.o all\n"""


def data(rng: random.Random) -> dict[str, str]:
    def letters(alphabet: str, size: int) -> str:
        return "".join(rng.choice(alphabet) for _ in range(size))

    def lines(make: object, count: int) -> str:
        return "\n".join(make(n) for n in range(count))  # type: ignore[operator]

    def number(top: int) -> int:
        return rng.randrange(top)

    ips = [f"{number(256)}.{number(256)}.{number(256)}.{number(256)}" for _ in range(30)]
    records = [{"id": n, "name": f"user{n}", "score": number(10**6) / 1000, "tags": ["a", "b"], "active": n % 2 == 0} for n in range(8)]  # fmt: skip
    return {
        "DNA": letters("ACGT", 600),
        "DNA, small letters": letters("acgt", 600),
        "protein": letters("ACDEFGHIKLMNPQRSTVWY", 600),
        "base64": base64.b64encode(rng.randbytes(600)).decode(),
        "base64, in lines": base64.encodebytes(rng.randbytes(600)).decode(),
        "hexadecimal": rng.randbytes(300).hex(),
        "hex dump": lines(lambda n: f"{n * 16:08x}  " + " ".join(f"{b:02x}" for b in rng.randbytes(16)), 12),
        "checksums": lines(lambda n: f"{hashlib.sha256(bytes([n])).hexdigest()}  file{n}.tar.gz", 8),
        "UUIDs": lines(lambda _: str(uuid.UUID(bytes=rng.randbytes(16))), 15),
        "long listing": lines(lambda n: f"-rw-r--r-- 1 root root {number(10**7):8} Nov {number(28) + 1:2} 09:{number(60):02} file_{n}.conf", 15),
        "processes": lines(lambda n: f"root {number(99999):7} {number(90) / 10:4} {number(50) / 10:4} {number(999999):7} {number(99999):6} ?        Ss   08:{number(60):02}   0:0{number(9)} /usr/sbin/daemon{n} -D --pid /run/d{n}.pid", 10),
        "disks": lines(lambda n: f"/dev/sda{n}  {number(999)}G  {number(99)}G  {number(900)}G {number(100):3}% /mnt/vol{n}", 12),
        "system log": lines(lambda n: f"Nov 16 19:{number(60):02}:{number(60):02} host{n % 3} sshd[{number(99999)}]: Failed password for invalid user admin from {rng.choice(ips)} port {number(65535)} ssh2", 8),
        "web server log": lines(lambda n: f'{rng.choice(ips)} - - [16/Nov/2026:19:{number(60):02}:{number(60):02} +0000] "GET /api/v1/items/{number(9999)}?page={n} HTTP/1.1" {rng.choice((200, 404, 500))} {number(99999)} "-" "Mozilla/5.0 (X11; Linux x86_64)"', 6),
        "JSON, compact": json.dumps(records, separators=(",", ":")),
        "JSON, indented": json.dumps(records[:5], indent=2),
        "numbers in columns": lines(lambda n: f"{n},{number(10**6)},{number(10**6) / 997:.6f},{number(2)}", 25),
        "floats": " ".join(f"{rng.gauss(0, 1):.17g}" for _ in range(40)),
        "addresses of the net": "\n".join(ips),
        "URLs": lines(lambda n: f"https://www.example{n}.org/a/{letters('abcdefghijklmnop', 8)}/index.php?id={number(10**6)}&ref={letters('0123456789abcdef', 12)}#top", 8),
        "passwords": lines(lambda _: letters("abcdefghijkLMNOPQRSTUvwxyz0123456789!$%&/()=?", 20), 25),
        "random letters": letters("abcdefghijklmnopqrstuvwxyz", 500),
        "RANDOM CAPITALS": letters("ABCDEFGHIJKLMNOPQRSTUVWXYZ", 500),
        "digits": letters("0123456789", 500),
        "marks": letters("!@#$%^&*()_+-=[]{}|;:,.<>?/~`", 400),
        "ruled lines": ("=" * 78 + "\n" + "-" * 78 + "\n") * 4,
        "boxes": ("┌─────────┬──────────┐\n│ name    │   value  │\n├─────────┼──────────┤\n│ alpha   │ ███░░ 42 │\n└─────────┴──────────┘\n") * 3,
        "emoji": "".join(rng.choice("😀🚀🔥✅❌👍🎉💡📦🐍🌍🧪🛠🎯🧵") for _ in range(120)),
        "mathematics": "∀ε>0 ∃δ>0: |x−a|<δ ⇒ |f(x)−f(a)|<ε; ∑ᵢ₌₁ⁿ i² = n(n+1)(2n+1)∕6; ∇×E = −∂B∕∂t; A ⊆ B ∩ C ∪ ∅; √2 ≈ 1.414 ≠ π; " * 4,
    }  # fmt: skip


def kinds() -> dict[str, str]:
    """Each kind with one sample, the same ones everywhere."""
    code = {"Python": textwrap.dedent(inspect.getsource(json.dumps))[:1500], "C": C, "Rust": RUST, "Go": GO, "SQL": SQL, "shell script": SHELL, "JavaScript, minified": JS, "HTML": HTML, "CSS": CSS, "YAML": YAML, "TOML": TOML, "Markdown": MARKDOWN, "LaTeX": LATEX, "stack trace": TRACE, "diff": DIFF, "makefile": MAKE}  # fmt: skip
    return {**LANGUAGES, **code, **data(random.Random(20))}
