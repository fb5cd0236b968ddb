"""What pages write above and around their text, by purpose and language. The place to add one.

Labels are compared with a whole text, or with what stands before a sign, in small letters and without the signs around
it (`label_of`). NOTICES are the beginnings of lines.
"""

from __future__ import annotations

import string

AROUND = string.punctuation + string.whitespace + "«»“”„…–—•·→↓▼【】（）［］💡👉📌🔗"

# What pages write above advertisements, and where a script writes text later.
AD_LABELS = {
    "en": "advertisement|advertisements|advertising|advert|loading|advertisement · scroll to continue"
    "|advertisement. scroll to continue reading|advertisement: story continues below",
    "de": "anzeige|anzeigen|werbung",
    "fr": "publicité|publicite",
    "es, pt, it": "publicidad|publicidade|pubblicità",
    "pl, ru": "reklama|реклама",
    "da, no, sv": "annonse|annons|annonce",
    "ja, zh, ko": "広告|广告|광고",
}

# Headings above the comments of readers, without numbers and QUALIFIERS.
COMMENT_LABELS = {
    "en": "comments|comment|responses|response|replies|trackbacks|trackback|track backs|leave a comment|leave a reply"
    "|leave a response|leave your comment|post a comment|post your comment|add comment|add a comment|add your comment"
    "|add your view|write a comment|submit a comment|have your say|reader views|join the discussion"
    "|comments read them below or add one|comment read it below or add one",
    "de, da, no, sv, nl": "kommentare|kommentar|kommentarer|kommentar schreiben|kommentar hinterlassen|reacties",
    "pl": "komentarze|komentarzy|komentarz|opinie|dodaj komentarz|napisz komentarz",
    "ru, uk": "комментарии|комментарий|комментариев|коментарі|отзывы|оставить комментарий|добавить комментарий",
    "fr, it, es, pt": "commentaires|commentaire|laisser un commentaire|commenti|commento|comentarios|comentário"
    "|comentários|deja un comentario",
    "el, tr": "σχόλια|yorumlar",
    "ja, zh, ko": "评论|网友评论|コメント|댓글",
}
QUALIFIERS = "all latest recent most no reader readers user users visitor visitors so far yet keine aucun sin brak"
# Without a number these are the heading of an example.
NEED_NUMBER = "comment|response"
# "3 comments on Rain"
COMMENTS_ON = r"\d[\d.,]{0,9}\s{1,3}(?:comments?|responses?|replies|thoughts?)\s{1,3}(?:on|to|for)\b"

# References to other pages, and lists of keywords. A sign follows, or nothing; then links.
REFERENCE_LABELS = {
    "en": "also read|must read|read also|read more|read next|read this|see also|watch also|watch now|watch more|more"
    "|related|related reading|related story|related stories|related article|related articles|related post|related posts"
    "|related link|related links|related coverage|related content|related topics|related news|recommended|most read"
    "|recommended reading|recommended for you|recommended stories|recommended articles|you may also like|most popular"
    "|you might also like|you might also be interested in|don't miss|don’t miss|tags|tagged|tagged as|tagged with"
    "|tagged under|filed under|filed in|posted in|categories|keywords|topics",
    "de": "lesen sie auch|lesen sie hier|lesen sie dazu|lesen sie mehr|lies auch|auch interessant|auch lesenswert"
    "|weiterlesen|zum thema|mehr zum thema|mehr dazu|mehr themen|schon gelesen|siehe auch|meistgelesen|weitere artikel"
    "|das könnte sie auch interessieren|das könnte dich auch interessieren|das könnte euch auch interessieren"
    "|das thema könnte dich auch interessieren|diese artikel könnten euch auch interessieren|weitere beiträge"
    "|schlagwörter|schlagworte|stichworte|stichwörter|kategorien|abgelegt unter|veröffentlicht in|veröffentlicht unter",
    "fr": "à lire|à lire aussi|a lire aussi|lire|lire aussi|lire également|à voir aussi|voir aussi|sur le même sujet"
    "|mots-clés|mots clés|catégories|classé dans|publié dans",
    "es": "más información|seguir leyendo|lea|lea también|lea más|lea además|lee también|leer más|leer también|vea más"
    "|vea también|ve además|ver también|mira|le puede interesar|te recomendamos|lea aquí|no te pierdas|no se pierda"
    "|además lea|además mira|mira también|mire además|puedes ver|puedes leer|te puede interesar"
    "|también te puede interesar|etiquetas|categorías|archivado en|publicado en|palabras clave",
    "pt, it": "leia também|leia mais|veja também|veja mais|saiba mais|marcadores|palavras-chave|categorias|publicado em"
    "|leggi anche|leggi tutto|vedi anche|etichette|categorie|pubblicato in",
    "pl": "czytaj też|czytaj także|czytaj również|czytaj więcej|przeczytaj też|przeczytaj także|zobacz też|zobacz także"
    "|zobacz również|polecamy|warto przeczytać|tagi|opublikowano w|słowa kluczowe",
    "ru, uk": "читайте|читайте также|читайте ещё|читайте еще|читайте також|читай также|смотрите также|см. также|по теме"
    "|ссылки по теме|новости по теме|материалы по теме|теги|тэги|метки|рубрики|ключевые слова|опубликовано в",
    "da, no, sv, nl, fi": "les også|læs også|läs också|läs mer|läs även|lees ook|lees meer|lees verder|lue myös"
    "|trefwoorden|categorieën|geplaatst in",
    "el": "διαβάστε|διαβάστε επίσης|διαβάστε ακόμα|διαβάστε και|δείτε|δείτε επίσης|δείτε και|ετικέτες|λέξεις κλειδιά",
    "ja, zh, ko": "相关阅读|延伸阅读|推荐阅读|相关新闻|関連記事|관련기사|标签|標籤|关键词|關鍵詞|關鍵字|关键字"
    "|タグ|태그",
}
# Regular expressions: lines of blog software and news agencies below an article; invitations to follow a site; and to
# subscribe to its letters.
NOTICES = (
    r"this entry (?:was (?:posted|tagged)|is filed)\b|you can (?:follow any responses|leave a response)\b"
    r"|both (?:comments and pings|pings and comments) are\b|bookmark the permalink|rss feed for comments"
    r"|trackback ur[il]\b|to contact the (?:reporter|editor|writer|author)\b|оцените, пожалуйста, статью"
    r"|责任编辑|責任編輯",
    r"(?:(?:follow|find|join|like) (?:us|me)\b|follow\b|folgen|folge|folgt|suivez|retrouvez|sigue|siga|síguenos|síganos"
    r"|segui|volg|obserwuj|polub|dołącz|подписывайтесь|подпишитесь|читайте|следите|ακολουθήστε|følg|följ|seuraa|关注)"
    r".{1,60}?(?:twitter|facebook|instagram|youtube|tiktok|telegram|linkedin|pinterest|google news|google\+|whatsapp"
    r"|threads|bluesky|mastodon|контакте|微信|微博|公众号|\bon x\b)",
    r"subscribe (?:now|here|today)\b|(?:subscribe|sign up|register|get|join|abonnier|melde|jetzt|hier|inscrivez|abonnez"
    r"|recevez|suscr|recib|iscriviti|ricevi|assine|inscreva|receba|zapisz|subskrybuj|подпи|schrijf|meld|tilaa)"
    r".{1,60}?\b(?:newsletters?|mailing list|inbox|e-?mail updates|updates by e-?mail|boletín|boletines|рассылк"
    r"|biuletyn|nieuwsbrief|nyhedsbrev|nyhetsbrev|uutiskirje)",
)

# What programs write for a title that nobody has set; what stands before the number of a page; words of the name of a
# site that have no initial in its host.
NO_TITLES = frozenset(("untitled", "untitled document", "untitled page", "document", "new page 1", "无标题文档"))
PAGES = r"page|seite|página|pagina|pag\.|strona|sida|side|sivu|sayfa|страница|стр\.|σελίδα"
SMALL_WORDS = frozenset("and of the for in on at und der die das für et de la le du des y e del".split())


def labels(by_language: dict[str, str]) -> frozenset[str]:
    """All labels of a purpose."""
    return frozenset("|".join(by_language.values()).split("|"))


def label_of(text: str) -> str:
    """A text as a label."""
    return text.strip(AROUND).lower()
