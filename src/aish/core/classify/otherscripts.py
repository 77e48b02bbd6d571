"""Words in other letters than Latin behind a command: names that it is given, or a sentence."""

# ruff: noqa: SIM905 - word lists read better as text than as a column of quoted strings

from __future__ import annotations

import re
from typing import Literal

from aish.core.classify.arguments import PATTERN_TAKERS, SPOKEN
from aish.core.classify.funcwords import ENGLISH, FILE_TAKERS, FREE_TEXT, VERBS
from aish.core.classify.more_subcommands import ALL_SUBCOMMANDS
from aish.core.classify.names_given import NAME_GIVEN, SEARCHERS, operands
from aish.core.classify.words import LineWord, is_other_letter

MOST_NAMES = 4
LONGEST_NAME = 8  # letters, where no blanks stand between words
FEW_SUBCOMMANDS = 8
_PROSE = ENGLISH | VERBS
_PLAIN = frozenset(("word", "script", "number", "amount", "file", "path", "ident", "letter"))

# Question words, pronouns, small words and orders: Russian, Ukrainian, Bulgarian, Serbian, Greek,
# Hebrew, Arabic, Persian, Hindi, Korean.
_SENTENCE = frozenset(
    """
    что чего чему это этот эта эти этом этого как какой какая какие какого где куда откуда когда
    почему зачем кто сколько ли и или но а не нет мне меня мой моя мои моё ты я он она они мы вы
    все всё всех весь вся каждый для без из от до по под над при через между о об на в во с со у к
    ко за чтобы если то есть был была было нужно надо можно нельзя можешь могу хочу пожалуйста
    больше меньше последний последние самый самые значит такое делать сделать работает
    покажи показать найди найти удали удалить отмени отменить создай создать открой открыть закрой
    закрыть запусти запустить останови остановить перезапусти скачай скачать установи установить
    обнови обновить проверь проверить сделай посчитай переименуй переименовать скопируй перемести
    напиши объясни помоги скажи дай убей выведи сравни сожми распакуй исправь исправить добавь
    добавить измени изменить включи выключи узнать посмотреть использовать выйти
    що як який яка які де коли чому хто скільки чи та або мені мій моя мої для без із від
    покажи знайди видали створи відкрий запусти зупини встанови перевір є всі
    какво как къде кога защо кой колко дали ми моите за без от изтрий намери покажи създай всички
    šta шта како где када зашто ко колико обриши пронађи прикажи
    τι πώς πως πού που πότε γιατί ποιος ποια ποιο πόσο πόσα πόσος και ή αλλά δεν μου μας σου το τα
    τη την τον τους τις ο η οι ένα μια από σε στο στη στα για με χωρίς είναι έχω έχει δείξε βρες
    διέγραψε άνοιξε όλα όλες όλους αυτό αυτή
    מה איך למה מדוע איפה מתי מי כמה האם של את עם בלי על אל לא זה זאת הזה הזאת אני אתה כל יש אין
    הצג מצא מחק פתח הפעל התקן
    ما ماذا كيف لماذا أين متى من كم هل في على إلى عن مع بدون لا هذا هذه ذلك كل أنا لي هو هي
    اعرض احذف ابحث افتح شغل أوقف ثبت أنشئ أظهر چه چطور چرا کجا کی چند آیا از به با را این همه
    نشان حذف پیدا است
    क्या कैसे क्यों कहाँ कहां कब कौन कितना कितने कितनी का की के को में से पर है हैं नहीं मेरा मेरी
    मेरे यह इस सभी सब करें करो दिखाओ दिखाएं हटाओ खोजो बंद चालू
    뭐 무엇 왜 어떻게 어디 어디서 언제 누가 누구 몇 얼마나 이 그 저 내 나의 모두 모든 전부 안 못 좀
    방법 사용법 차이 취소 삭제 보여줘 알려줘 해줘 찾아줘 지워줘
    """.split()
)
# How questions and orders go on or end where words are written together or carry endings.
_ASKED = re.compile(
    "吗|呢|怎|什么|甚麼|哪|谁|誰|为什|為什|为何|如何|请|請|帮我|幫我|多少|几个|"
    "してくだ|ください|ますか|ですか|したい|できない|とは|なぜ|どう|どこ|どれ|どの|教えて|を.+[てるいか]$|"
    "해줘|줘$|나요|니까|습니다|세요|어떻게|ทำไม|อะไร|อย่างไร|ยังไง|ไหม|ไหน|วิธี"
)
# And what else they are made of.
_SIGNS = re.compile(
    "所有|全部|把|显示|列出|删除|查找|查看|创建|安装|启动|停止|重启|撤销|用法|教程|区别|命令|帮|幫|"
    "して|した|ます|です|たい|ない|何|教え|使い方|方法|違い|を|"
    "하는|되는|했는|인가|어요|아요|까$|แสดง|ทั้งหมด|ให้|ไม่"
)
# The same, but found in names too: "我的文档", "夏の写真".
_WEAK_SIGNS = re.compile("的|了|是|我|你|在|和|从|到|按|这|那|不|は|が|に|で|の|と|も|[을를]$")
_WRITTEN = re.compile(r"[{}*\[\]=]|\.\w{1,5}$")  # for a shell, or with an ending
_ENDS = re.compile(r"[?？。！!؟।]")

ScriptReading = Literal["names", "sentence", ""]


def read_abroad(words: list[LineWord]) -> ScriptReading:
    """What the words in other letters behind the command `words[0]` are; "" where none decide."""
    low = words[0].text
    abroad = [word for word in words[1:] if not word.text.isascii() and _is_abroad(word)]
    if not abroad or low in FREE_TEXT:
        return ""
    plain = all(word.shape in _PLAIN for word in words if word.shape != "assign")
    if plain and _is_sentence(low, words, abroad):
        return "sentence"
    return "names" if _are_names(low, words, abroad, plain) else ""


def _is_abroad(word: LineWord) -> bool:
    return word.shape in ("word", "script") and any(map(is_other_letter, word.text))


def _is_sentence(low: str, words: list[LineWord], abroad: list[LineWord]) -> bool:
    if low in FILE_TAKERS and len(words) == 2:
        return bool(_ENDS.search(words[1].tail)) or _says_alone(words[1].text)
    if low in NAME_GIVEN and len(words) == 3 and low in ("mv", "cp", "ln", "diff"):
        return False
    if _is_no_subcommand(low, words[1]):
        return True
    return any(_says(word, low) for word in _besides_pattern(low, words, abroad))


def _is_no_subcommand(low: str, second: LineWord) -> bool:
    """`docker 是什么`: a program of many subcommands has none in such letters."""
    if not _is_abroad(second) or "." in second.text or low in ("make", "tar"):
        return False
    return ALL_SUBCOMMANDS.get(low, "").count(" ") > FEW_SUBCOMMANDS


def _besides_pattern(low: str, words: list[LineWord], abroad: list[LineWord]) -> list[LineWord]:
    """What a search looks for may be any word, if a place to look follows it."""
    if low not in SEARCHERS or len(words) < 3:
        return [] if low in PATTERN_TAKERS else abroad
    pattern, place = words[1], words[2]
    named = place.shape != "word" or not _says(place, low)
    return [word for word in abroad if word is not pattern] if named else abroad


def _says(word: LineWord, low: str) -> bool:
    text = word.text.lower()
    if _WRITTEN.search(text):
        return False
    if text in _SENTENCE or _ASKED.search(text) or _SIGNS.search(text) or _ENDS.search(word.tail):
        return True
    together = text[0] >= "\u2e80"
    if together and len(text) > LONGEST_NAME:
        return True
    return low not in NAME_GIVEN and bool(_WEAK_SIGNS.search(text))


def _says_alone(text: str) -> bool:
    """Of a word that any name could be, more is wanted."""
    if _WRITTEN.search(text):
        return False
    return bool(_ASKED.search(text)) or len(set(_SIGNS.findall(text))) > 1


def _are_names(low: str, words: list[LineWord], abroad: list[LineWord], plain: bool) -> bool:
    if len(abroad) > MOST_NAMES or any(word.tail for word in abroad):
        return False
    if plain and (_is_no_subcommand(low, words[1]) or (low in SPOKEN and low not in NAME_GIVEN)):
        return False
    said = [word for word in operands(words) if word not in abroad and word.shape == "word"]
    if any(word.text.lower() in _PROSE for word in said):
        return False
    return not any(_says(word, low) for word in _besides_pattern(low, words, abroad))
