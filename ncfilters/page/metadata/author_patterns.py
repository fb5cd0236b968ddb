"""The patterns and words by which the names of authors are read (see `author_names`), and labels beside names and days.

ONE_WORD.fullmatch("Ann") is not None    # True
without_labels("Veröffentlicht von Ann Lee Zuletzt bearbeitet")    # 'Ann Lee'
is_copyright("© Ann Lee, AP")    # True

Libraries of locale data (CLDR) have the names of months and days, but no labels.
"""

from __future__ import annotations

import re

from ...text.lazy_pattern import lazy_pattern, lazy_regex

# For each language, in folded case: "by"; nouns for an author; what says that something was written or published; that
# it was changed; of a picture or of its owner; for what authors write, and for readers to do; for those who edit.
_BY, _AUTHOR, _MADE, _CHANGED, _PICTURE, _POSTS, _EDITORS = range(7)
_TABLE = {
    "en": "by | author authors | written published posted created submitted authored wrote | updated edited "
    "modified | photo photos photograph image picture copyright credit | posts articles comment "
    "comments reply | editorial newsroom news",
    "de": "von vom | autor autorin autoren verfasser verfasserin | geschrieben veröffentlicht erstellt verfasst "
    "gepostet publiziert eingestellt erschienen sagt schreibt schrieb | aktualisiert geändert bearbeitet "
    "zuletzt aktualisierung stand | foto fotos bild bilder bildquelle fotograf | beitrag beiträge artikel "
    "kommentar kommentare zeige alle einträge | redaktion nachrichten agentur",
    "nl": "door | auteur auteurs | geschreven geplaatst gepubliceerd gepost | bijgewerkt laatst gewijzigd aangepast "
    "| foto beeld | artikelen berichten reacties reageer | redactie nieuws persbureau",
    "fr": "par | auteur auteure auteurs autrice | écrit publié rédigé posté proposé publiée | modifié màj "
    "| photo photos crédit image | articles commentaires commentaire tous | rédaction actualités agence",
    "es": "por | autor autora autores | escrito publicado redactado publicada hace | actualizado actualización "
    "modificado | foto fotos imagen fotografía | artículos entradas comentarios comentar todas todos | "
    "redacción noticias agencia agencias",
    "pt": "por | autor autora autores | escrito publicado postado publicada | atualizado atualizada modificado | "
    "foto fotos imagem | artigos posts comentários | redação notícias agência",
    "it": "di da | autore autrice autori | scritto pubblicato pubblicata postato | aggiornato modificato "
    "aggiornamento | foto immagine | articoli commenti commenta tutti | redazione notizie agenzia",
    "ca": "per | autor autora | escrit publicat | actualitzat | foto imatge | articles comentaris | "
    "redacció notícies agència",
    "ro": "de | autor autori autorul | scris publicat postat | actualizat modificat | foto sursa | articole "
    "comentarii | redacția redacţia știri agenția",
    "pl": "przez | autor autorka autorzy | napisane napisał napisała opublikowane opublikowano dodane publikacji | "
    "aktualizacja zaktualizowano ostatnia | fot zdjęcie foto | artykuły wpisy komentarze komentarz | "
    "redakcja wiadomości agencja",
    "cs": "od | autor autorka autoři | napsal napsala publikováno zveřejněno vydáno | aktualizováno upraveno | foto "
    "| články komentáře diskuse | redakce zprávy agentura",
    "sk": "od | autor autorka autori | napísal napísala publikované zverejnené | aktualizované upravené | foto | "
    "články komentáre | redakcia správy agentúra",
    "sl": " | avtor avtorica | objavljeno napisal | posodobljeno | foto | članki komentarji | uredništvo",
    "hr": "od | autor autorica piše | objavljeno napisao napisala | ažurirano | foto slika | članci komentari | "
    "redakcija uredništvo",
    "bg": "от | автор автори | публикувано публикувана написано | обновено последна | снимка | коментари | "
    "редакция новини агенция",
    "ru": "от | автор авторы | написал написала опубликовано опубликована публикации | обновлено изменено | фото "
    "изображение | статьи записи комментарии | редакция новости агентство",
    "uk": "від | автор автори авторка | написав написала опубліковано | оновлено | фото | статті коментарі | "
    "редакція новини агентство",
    "lt": " | autorius autorė | paskelbta parašė | atnaujinta | nuotrauka | straipsniai komentarai | redakcija",
    "lv": " | autors autore | publicēts | atjaunots | foto | raksti komentāri | redakcija",
    "et": " | autor | avaldatud | uuendatud | foto | artiklid kommentaarid | toimetus",
    "el": "από | συντάκτης συντάκτρια συγγραφέας | γράφει δημοσίευση δημοσιεύθηκε δημοσιεύτηκε | ενημέρωση "
    "ενημερώθηκε | φωτογραφία φωτό | άρθρα σχόλια | σύνταξη ειδήσεις νέα",
    "tr": "tarafından | yazar yazarı yazan muhabir | yayınlanma yayınlandı yayımlandı yazdı giriş | güncelleme "
    "güncellendi güncellenme | fotoğraf foto | yazılar haberler yorum yorumlar | editör ajansı",
    "sv": "av | författare skribent | skriven publicerad publicerat skrivet skrev | uppdaterad uppdaterat senast | "
    "foto bild | artiklar inlägg kommentarer | redaktionen nyheter",
    "da": "af | forfatter skribent | skrevet publiceret udgivet offentliggjort | opdateret sidst | foto billede | "
    "artikler indlæg kommentarer | redaktionen nyheder",
    "nb": "av | forfatter skribent | skrevet publisert lagt | oppdatert sist | foto bilde | artikler kommentarer | "
    "redaksjonen nyheter",
    "fi": " | kirjoittaja toimittaja | julkaistu kirjoittanut | päivitetty muokattu | kuva kuvaaja | artikkelit "
    "kommentit | toimitus uutiset",
    "hu": " | szerző írta szerzők | közzétéve megjelent | frissítve módosítva | fotó kép | cikkek hozzászólások | "
    "szerkesztőség hírek",
    "id": "oleh | penulis | ditulis diterbitkan diposting | diperbarui | foto gambar | artikel komentar | "
    "redaksi berita",
    "vi": "bởi |  | đăng | nhật | ảnh |  |",
    "ar": "بقلم بواسطة | الكاتب كاتب المؤلف | كتب كتبت نشر نشرت | تحديث آخر | صورة تصوير | تعليقات مقالات | تحرير "
    "التحرير أخبار وكالة",
    "he": "מאת |  | פורסם נכתב | עודכן עדכון | צילום תמונה | תגובות | מערכת חדשות",
    "fa": "توسط | نویسنده | منتشر | بروزرسانی | عکس | نظرات | تحریریه اخبار خبرگزاری",
    "zh": " | 作者 记者 記者 | 发布 發布 发表 發表 | 更新 | 图片 圖片 图 圖 | 评论 評論 稿源 来源 來源 | "
    "编辑 編輯 责编 新闻 新聞",
    "ja": " | 著者 執筆者 筆者 記者 | 公開 投稿 | 更新 | 写真 | コメント | 編集部 ニュース",
    "ko": " | 기자 작성자 글쓴이 | 작성 입력 등록 | 수정 업데이트 | 사진 | 댓글 | 편집부 뉴스",
    "hi": "द्वारा | लेखक | प्रकाशित | अपडेट | फोटो |  |",
}
_ROWS = [[column.split() for column in row.split("|")] for row in _TABLE.values()]

# Characters of a text, characters and words of a name, and names of a page.
MAX_CHARS, MAX_NAME_CHARS, MAX_WORDS, MAX_NAMES = 400, 60, 6, 20

# What is written, and how.
_KINDS = "article|post|story|review|text|words|recipe|guest post|blog post"
_VERBS = "written|posted|published|reported|submitted|contributed|authored|created|started|added|reviewed|compiled"
# The same and "by" in other languages.
_BEYOND_ASCII = r"(?-i:[^\x00-\x7F])"
_OTHER_VERBS = (
    r"escrito por|redactado por|publicado por|postado por|publi* par|*crit par|r*dig* par|scritto da|pubblicato da|"
    r"a cura di|geschrieben von|ver*ffentlicht von|verfasst von|gepostet von|skrevet av|skrevet af|skriven av|"
    r"geschreven door|geplaatst door|ditulis oleh|scris de|napsala|napsal"
).replace("*", _BEYOND_ASCII)
# Words for "author" in other languages, before a colon.
_OTHER_AUTHORS = "verfasser|forfatter|f*rfattare|kirjoittaja|szerz*|yazan|yazar|penulis".replace("*", _BEYOND_ASCII)
# Words in small letters before the number of a day in other languages, and particles of names.
_BEFORE_DAYS, _LINKS = "le|am|el|il|op|em|den|dne|dnia|pe", "de|da|di|van|von|der|den|la"
# "By", which some names begin with: before a name alone, or before one and its day.
_ONE_NAME = rf" (?:(?:{_LINKS}) )*\p{{Lu}}\p{{L}}+"
_BEFORE_NAME = rf"(?:Di|Door|Av|Af)(?={_ONE_NAME}{_ONE_NAME}(?:\Z|,| \||\s+(?:{_BEFORE_DAYS})(?:\s+\d|\s*\Z)))"
BY = lazy_regex(
    rf"^\W*(?:(?:an? )?(?:{_KINDS})\s+)?"
    rf"(?:(?:(?:originally |first )?(?:{_VERBS})\s+)?by\b|"
    r"(?:published|posted|updated)(?:\s+on)?\s[\w ,./]{6,24}?\sby\s(?=\p{Lu})|"
    r"(?:the )?authors?\b\s*(?:\(s\))?\s*:|posted\s*:|von\b|"
    rf"(?:{_OTHER_VERBS})\b|(?:{_OTHER_AUTHORS})\s*:|"
    r"par\b|por\b|"
    rf"(?-i:di\b|{_BEFORE_NAME})|"
    r"autore?s?\s*:|auteurs?\s*:|autorzy?\s*:|автор[ы]?\s*:|written\s*:|words\s*:|text(?:e|o)?\s*:|συντάκτης\s*:?|"
    r"γράφει (?:ο|η)\b|написала?\b|tác giả\s*:|"
    r"(?:بقلم|מאת)(?=[\s:])|(?:ال)?كاتبة?\s*:|"
    r"(?:作者|记者|記者|编辑|編輯|責任編輯|责任编辑|撰文|文)\s*[/:：／・]?)\s*[:：]?\s*",
    re.I,
)
# How a day begins, but for its number.
_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec"
_DAY = rf"(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:{_MONTHS})[a-z]*\.?\s+\d+(?:st|nd|rd|th)?"
# Words behind names, and behind the names of organisations.
_AFTER_ANY = "leave a|post a|published|posted|updated|last updated|reviewed by|edited by|medically reviewed"
_AFTER_NAMES = "on|in|for|from|via|at|twitter|facebook|instagram|linkedin|e-?mail|follow"
_AFTER_DAYS = rf"\b(?-i:{_BEFORE_DAYS})(?=\s+\d|\s*\Z)"
# What follows the names: a date, a time of reading, a role after a sign, an address, the place of publication.
AFTER = lazy_regex(
    r"\s*(?:[|•·»›⋅●▪◦\t\n]|\s[–—/-]+\s|@\s?\w|https?:|\bwww\.|\S+@\S+|\[|\([^()]*\)?$"
    rf"|\b(?:{_AFTER_ANY}|{_AFTER_NAMES}|photos?|illustrat\w+|{_DAY})\b"
    rf"|{_AFTER_DAYS}|(?<![\p{{L}}\d_.-])\d).*$",
    re.I | re.S,
)
# What follows the name of an organisation: the same, but its name may have a number first, and "for" or "in".
AFTER_ORGANIZATION = lazy_regex(
    r"\s*(?:[|•·»›⋅●▪◦\t\n]|\s[–—/-]+\s|@\s?\w|https?:|\bwww\.|\S+@\S+|\[|\([^()]*\)?$"
    rf"|\b(?:{_AFTER_ANY}|photos?|illustrat\w+|"
    rf"(?:(?:on|in|at)\s+)?(?:{_DAY}))\b|{_AFTER_DAYS}|(?<=[^\p{{L}}\d_.-])\d).*$",
    re.I | re.S,
)
# What a name of one word is of no person before: "Center for Rain", "Man in the Rain".
NO_PERSON = lazy_regex(r"\s+(?:for|of|in the|from the)\b", re.I)
# The address behind a name: "Ann Lee <ann@gazette.org>", "<ann at gazette.org>".
MAIL = lazy_pattern(r"\s*<[^<>\s]{1,40}(?:@| at )[^<>@]{1,60}>")
# By whom it is not written.
_EDITS = "reviewed|edited|fact checked|fact-checked|checked|approved|translated|illustrated|photographed"
EDITED = lazy_regex(
    rf"\W*(?:(?:medically |clinically |expert |legally )?(?:{_EDITS})|photos?|image)\s+(?:by\b|credit)|content:", re.I
)
_CONJUNCTIONS = "and|und|et|with|и|oraz|och|og"
# "And" that may be part of a name, too: before a full name; "with", before an agency or a name.
_WEAK_CONJUNCTIONS, _WITH = "en|i|a|ve|és|și|şi|ja|και|ir|un|dan", "mit|avec|con|met|med"
_FULL_NAME = r"\p{Lu}[\p{L}.'’-]*\s+\p{Lu}"
SEPARATORS = lazy_regex(
    rf"\s*([,;&、，；+/]|\b(?:{_CONJUNCTIONS})\b|(?<=\w) y (?=\w)| e (?=\p{{Lu}})"
    rf"|(?-i:(?<=\w) (?:{_WEAK_CONJUNCTIONS}) (?={_FULL_NAME})|(?<=\w) (?:{_WITH}) (?=\p{{L}})))\s*",
    re.I,
)
ONE_WORD, FIRST_NAME = lazy_pattern(r"[\w.-]+", re.A), lazy_regex(r"\p{Lu}\p{Ll}{2,}")
# Degrees and titles that follow a name after a comma.
CREDENTIAL = lazy_regex(
    r"(?:[A-Z]\.?){2,7}|[A-Z]{2,}(?:-[A-Z]+)+|Jr\.?|Sr\.?|I{2,3}|Ph\.? ?D\.?|Esq\.?|(?:Pharm|Psy|Ed)\.?D\.?"
    r"|M\.?Ed\.?|[MB]\.?Sc\.?|MPhil|DPhil|MPharm|LicAc|CPed|EdS"
)
# What follows the name of a company after a comma.
COMPANIES = frozenset("inc llc ltd limited gmbh corp plc pty".split())
WORD = lazy_regex(r"[\p{L}\p{M}][\p{L}\p{M}'’.‐-]*")
# How long words in small letters begin that names have: "della", "vander"; and the short ones.
PARTICLES = frozenset("de da do du va vo al el sa zu".split())
LINKS = frozenset(
    "a ab abu af al ap ar as av bar bat ben bin bint d da dal dan das de dei del den der des di do dos du e el en et "
    "ibn i ii iii in jr la las le les li lo los na op of os s san sr st 't t ta te ten ter the thi tot til ul um und "
    "uz va van vd ve vel ver vom von vor y z zu zum zur".split()
)
LETTER = lazy_regex(r"\p{L}")
# The name of an account, with digits.
ACCOUNT = lazy_regex(r"\p{L}[\p{L}_-]+\d[\p{L}\d_-]{0,20}")
# What names an organisation with a number: "BR24".
NUMBERED = lazy_regex(r"\b\p{L}{2,}\d{1,3}\b")
WORDLESS = lazy_regex(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}·・]{2,10}")
DIGITS, LETTERS = lazy_regex(r"[\d_]+"), lazy_regex(r"\p{L}[\p{L}\p{M}]*")
HOST = lazy_regex(r"[\w-]\.[a-z]{2,}$")
NO_SIGN, MARKUP_SIGN = lazy_regex(r"[^\s.,'’()\"“”-]"), lazy_regex(r"[\[\]{}<>|=#?!]")
INITIALS = lazy_regex(r"\b(?:\p{L}\.){2,}")
_ROLE_NAMES = (
    "writer|editor|reporter|correspondent|columnist|contributor|journalist|analyst|strategist|specialist|manager|"
    "director|producer|critic|blogger|author|founder|co-founder|ceo|cto|professor|editor-in-chief|expert|engineer|"
    "scientist|engineering lead"
)
_ROLE = rf"(?:{_ROLE_NAMES})s?\.?"
# What stands before a role.
_GRADES = (
    "senior|junior|chief|managing|executive|associate|assistant|contributing|deputy|staff|guest|freelance|digital|"
    "political|science|health|business|technology|tech|news|lead|content|special|foreign|national|trending|copy|web|"
    "investigative|general"
)
# Words of roles that may stand before or after a name without a sign.
ROLES = lazy_regex(rf"(?:,\s+(?:[^\W\d]+\s+){{0,4}}|\s+(?:(?:{_GRADES})\s+(?:[^\W\d]+\s+)?){{0,3}}){_ROLE}$", re.I)
# What an author does, after a comma, where it has an "and": "Ann Lee, Rain and Snow Reporter".
JOB = lazy_regex(rf",\s+(?:[^\W\d]+\s+){{1,4}}{_ROLE}$", re.I)


def _column(*columns: int) -> frozenset[str]:
    return frozenset(word for row in _ROWS for column in columns for word in row[column])


# News agencies, which stand beside their reporters.
AGENCIES = frozenset(
    "AP AFP Reuters REUTERS dpa DPA EFE ANSA APA AAP PTI ANI IANS TNN UPI TASS KNA epd sid SID AFX Xinhua Belga BELGA "
    "ANP TT NTB Ritzau PAP MTI ČTK CTK Lusa LUSA EUROPAPRESS Adnkronos".split()
)
# "By" in all of the languages; labels before it; all labels; those that no name of a person has.
BY_WORDS, BEFORE_BY = _column(_BY), _column(_AUTHOR, _MADE, _POSTS)
LABELS = _column(_AUTHOR, _MADE, _CHANGED, _PICTURE, _POSTS, _EDITORS)
NO_AUTHORS = _column(_AUTHOR, _EDITORS)
_AUTHORS, _PICTURES, _BEHIND = _column(_AUTHOR), _column(_PICTURE), _column(_MADE, _CHANGED, _POSTS)
# Words of which a name has none: roles, departments, machines, and what is not known.
NO_NAMES = NO_AUTHORS | frozenset(
    "admin administrator adminn webadmin siteadmin wpadmin webmaster root user username guest anonymous unknown "
    "undefined null none nan n/a na editor editors staff team desk bureau contributor contributors correspondent "
    "correspondents reporter reporters redaktor redacao newsdesk news press agency agencies wire wires report "
    "reports website site blog blogger marketing support moderator moderators mod member members writer writers "
    "publisher company department office communications media group inc llc ltd gmbh corp corporation foundation "
    "university institute association magazine times post daily journal today tv radio online network http https "
    "www com org net read more view profile posts article articles launched about contact share follow subscribe "
    "comments comment reply login log sign home menu search click here bio biography email facebook twitter "
    "linkedin instagram youtube newsletter updated published posted date minutes minute reading ago am pm january "
    "february july september october november december monday tuesday thursday friday saturday sunday the our "
    "your my this that these those we they is are was has have with written reviewed fact checked "
    "advertisement sponsored everyone ecommerce seo released mon tue wed thu fri hospital hospitals clinic "
    "college museum committee council library sp".split()
)
# Words that do not tell one organisation from another.
NO_ORGANIZATIONS = NO_NAMES - frozenset(
    "magazine times post daily journal foundation university institute hospital clinic college museum".split()
) | (
    frozenset("a an and of for by new user test demo theme wordpress shopify wix default owner store shop web".split())
)
# What is left of a label that may be a name, too.
_WEAK = frozenset("last son no".split())
_EDGE = " :：;,.|·•–—-()[]/"
# Words in which "by" is looked for.
_MAX_BEFORE = 6


def without_labels(text: str) -> str:
    """A text that names an author without the labels before and behind the name; empty if it has nothing else."""
    words = text.split()
    folded = [word.casefold().strip(_EDGE) for word in words]
    start = 0
    for number, word in enumerate(folded[:_MAX_BEFORE]):
        if word in BY_WORDS and number and all(map(BEFORE_BY.__contains__, filter(None, folded[:number]))):
            start = number + 1
    while start < len(words) and folded[start] in _AUTHORS:
        start += 1
    end = len(words)
    while end > start and (folded[end - 1] in _BEHIND or not folded[end - 1] or words[end - 1] in _WEAK):
        end -= 1
    if all(not word for word in folded[end:]):  # signs, which may be of the name
        return " ".join(words[start:]) if start else text
    if end - start == 1 and folded[start] in _WEAK:  # "Last edited"
        return ""
    return " ".join(words[start:end]).rstrip(_EDGE)


def is_copyright(text: str) -> bool:
    """Whether a text says whose picture or property something is: "Photo: Ann Lee", "© Ann Lee"."""
    first = text.lstrip()[:1]
    return first == "©" or text.split(maxsplit=1)[0].casefold().strip(_EDGE) in _PICTURES if text.strip() else False
