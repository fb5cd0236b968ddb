"""What pages write where authors and days stand, and what elements with these are called. The place to add a word.

    "verfasst" in label_words(MADE)    # True

Words are in small letters, where nothing else is said. Libraries of locale data (CLDR) have the names of months and
days, but no labels.
"""

from __future__ import annotations

from collections.abc import Iterable

# For each language: "by"; nouns for an author; what says that something was written or published; that it was changed;
# of a picture or of its owner; for what authors write, and for readers to do; for those who edit.
BY, AUTHORS, MADE, CHANGED, PICTURES, POSTS, EDITORS = range(7)
LABELS = {
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
# The names of months and their abbreviations, in English, German, Dutch, French, Spanish, Portuguese, Italian, Catalan,
# Galician, Polish, Czech, Slovak, Croatian, Bulgarian, Russian, Ukrainian, Lithuanian, Latvian, Estonian, Greek,
# Turkish, Swedish, Danish, Norwegian, Finnish, Hungarian, Romanian, Indonesian, Arabic, Hebrew.
MONTHS = (
    "january jan januar jänner januari janvier janv enero ene janeiro gennaio gen stycznia styczeń sty ledna leden "
    "января январь янв січня ιανουαρίου ιανουάριος ιαν ocak tammikuu tammikuuta január ianuarie γενάρη γενάρης "
    "siječnja януари sausio janvāris janvārī jaanuar januára gener xaneiro січень يناير ינואר בינואר",
    "february feb februar februari février févr fév febrero fevereiro fev febbraio lutego luty lut února únor "
    "февраля февраль фев лютого φεβρουαρίου φεβρουάριος φεβ şubat helmikuu helmikuuta február februarie φλεβάρη "
    "φλεβάρης veljače февруари vasario februāris februārī veebruar februára febrer febreiro лютий فبراير פברואר "
    "בפברואר",
    "march mar märz maart mars marzo março marca marzec března březen марта март мар березня μαρτίου μάρτιος μαρ "
    "mart maaliskuu maaliskuuta március martie maret μάρτη μάρτης ožujka kovo marts martā märts marec març березень "
    "مارس מרץ במרץ",
    "april apr avril avr abril abr aprile kwietnia kwiecień kwi dubna duben апреля апрель апр квітня απριλίου "
    "απρίλιος απρ nisan huhtikuu huhtikuuta április aprilie απρίλη απρίλης travnja април balandžio aprīlis aprīlī "
    "aprill apríla квітень أبريل ابريل אפריל באפריל",
    "may mai mei mayo maio maggio mag maja maj května květen мая май травня μαΐου μαίου μάιος μαι mayıs toukokuu "
    "toukokuuta május μάη μάης svibnja gegužės maijs maijā mája maig травень مايو מאי במאי",
    "june jun juni juin junio junho giugno giu czerwca czerwiec cze června červen июня июнь июн червня ιουνίου "
    "ιούνιος ιουν haziran kesäkuu kesäkuuta június iunie ιούνη ιούνης lipnja юни birželio jūnijs jūnijā juuni júna "
    "juny xuño червень يونيو יוני ביוני",
    "july jul juli juillet juil julio julho luglio lug lipca lipiec lip července červenec июля июль июл липня "
    "ιουλίου ιούλιος ιουλ temmuz heinäkuu heinäkuuta július iulie ιούλη ιούλης srpnja юли liepos jūlijs jūlijā "
    "juuli júla juliol xullo липень يوليو יולי ביולי",
    "august aug augustus augusti août agosto ago sierpnia sierpień sie srpna srpen августа август авг серпня "
    "αυγούστου αύγουστος αυγ ağustos elokuu elokuuta augusztus agustus kolovoza rugpjūčio augusts augustā серпень "
    "أغسطس اغسطس אוגוסט באוגוסט",
    "september sep sept septembre septiembre setiembre setembro set settembre września wrzesień wrz září сентября "
    "сентябрь сен сент вересня σεπτεμβρίου σεπτέμβριος σεπ eylül syyskuu syyskuuta szeptember septembrie σεπτέμβρη "
    "σεπτέμβρης rujna септември rugsėjo septembris septembrī septembra setembre вересень سبتمبر ספטמבר בספטמבר",
    "october oct oktober okt octobre octubre outubro out ottobre ott października październik paź října říjen "
    "октября октябрь окт жовтня οκτωβρίου οκτώβριος οκτ ekim lokakuu lokakuuta október octombrie οκτώβρη οκτώβρης "
    "октомври spalio oktobris oktobrī oktoober októbra жовтень أكتوبر اكتوبر אוקטובר באוקטובר",
    "november nov novembre noviembre novembro listopada listopad lis listopadu ноября ноябрь ноя листопада "
    "νοεμβρίου νοέμβριος νοε kasım marraskuu marraskuuta noiembrie νοέμβρη νοέμβρης studenoga studenog ноември "
    "lapkričio novembris novembrī novembra листопад نوفمبر נובמבר בנובמבר",
    "december dec dezember dez décembre déc diciembre dic dezembro dicembre grudnia grudzień gru prosince prosinec "
    "декабря декабрь дек грудня δεκεμβρίου δεκέμβριος δεκ aralık joulukuu joulukuuta decembrie desember des "
    "δεκέμβρη δεκέμβρης prosinca декември gruodžio decembris decembrī detsember decembra desembre грудень ديسمبر "
    "דצמבר בדצמבר",
)

# How bylines begin, beside LABELS: what is written, and how, before "by"; the same and "by"; what stands before a
# colon; labels in Chinese and Japanese, which need none.
WORKS = "article|post|story|review|text|words|recipe|guest post|blog post"
WRITTEN = "written|posted|published|reported|submitted|contributed|authored|created|started|added|reviewed|compiled"
WRITTEN_BY = {
    "es, pt": "escrito por|redactado por|publicado por|postado por",
    "fr, it, ro": "publié par|écrit par|rédigé par|scritto da|pubblicato da|a cura di|scris de",
    "de, nl": "geschrieben von|veröffentlicht von|verfasst von|gepostet von|geschreven door|geplaatst door",
    "nb, da, sv": "skrevet av|skrevet af|skriven av",
    "cs, id": "napsala|napsal|ditulis oleh",
}
BYLINE_LABELS = "written|words|text|texte|texto|tác giả|كاتبة|الكاتبة"
CHINESE_LABELS = "作者|记者|記者|编辑|編輯|責任編輯|责任编辑|撰文|文"
# Particles of names that stand after "by"; words in small letters before the number of a day.
PARTICLES_OF_NAMES, BEFORE_DAYS = "de|da|di|van|von|der|den|la", "le|am|el|il|op|em|den|dne|dnia|pe"
# What follows names, and the names of organisations; the former alone.
AFTER_AUTHORS = "leave a|post a|published|posted|updated|last updated|reviewed by|edited by|medically reviewed|photos?"
AFTER_NAMES = "on|in|for|from|via|at|twitter|facebook|instagram|linkedin|e-?mail|follow"
# By whom a text is not written.
EDITED = "reviewed|edited|fact checked|fact-checked|checked|approved|translated|illustrated|photographed"
# "And"; what may also be part of a name; "with", before an agency or a name.
AND, WEAK_AND, WITH = "and|und|et|with|и|oraz|och|og", "en|i|a|ve|és|și|şi|ja|και|ir|un|dan", "mit|avec|con|met|med"
# What follows the name of a company after a comma.
COMPANIES = frozenset("inc llc ltd limited gmbh corp plc pty".split())
# How long words in small letters begin that names have ("della", "vander"), and the short ones.
PARTICLES = frozenset("de da do du va vo al el sa zu".split())
SHORT_PARTICLES = frozenset(
    "a ab abu af al ap ar as av bar bat ben bin bint d da dal dan das de dei del den der des di do dos du e el en et "
    "ibn i ii iii in jr la las le les li lo los na op of os s san sr st 't t ta te ten ter the thi tot til ul um und "
    "uz va van vd ve vel ver vom von vor y z zu zum zur".split()
)
# What authors do, and what stands before that.
ROLES = (
    "writer|editor|reporter|correspondent|columnist|contributor|journalist|analyst|strategist|specialist|manager|"
    "director|producer|critic|blogger|author|founder|co-founder|ceo|cto|professor|editor-in-chief|expert|engineer|"
    "scientist|engineering lead"
)
GRADES = (
    "senior|junior|chief|managing|executive|associate|assistant|contributing|deputy|staff|guest|freelance|digital|"
    "political|science|health|business|technology|tech|news|lead|content|special|foreign|national|trending|copy|web|"
    "investigative|general"
)
# A team that is an author.
TEAMS = "team|staff|editors|newsroom|redaktion|redazione|redacción|rédaction|redactie"
# News agencies, which stand beside their reporters.
AGENCIES = frozenset(
    "AP AFP Reuters REUTERS dpa DPA EFE ANSA APA AAP PTI ANI IANS TNN UPI TASS KNA epd sid SID AFX Xinhua Belga BELGA "
    "ANP TT NTB Ritzau PAP MTI ČTK CTK Lusa LUSA EUROPAPRESS Adnkronos".split()
)
# Words of which a name has none, beside authors and editors of LABELS: roles, departments, machines, what is not known.
NO_NAMES = frozenset(
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
# Those of them that organisations have, and others by which no organisation is told from another.
OF_ORGANIZATIONS = frozenset(
    "magazine times post daily journal foundation university institute hospital clinic college museum".split()
)
OF_ANY_ORGANIZATION = frozenset(
    "a an and of for by new user test demo theme wordpress shopify wix default owner store shop web".split()
)
# What is left of a label and may be a name, too.
WEAK_NAMES = frozenset("last son no".split())
# What a biography says of a person, and not of a product.
PERSONS = frozenset(
    "he she his her him writer editor founder author director manager engineer developer journalist specialist "
    "professor consultant creator blogger".split()
)

# Labels of days beside those of LABELS: of the publication, and of a change.
PUBLISHED = (
    "post time|publication date|publish date|release date|publicado|дата публикации|发布时间|发布日期|公開日|投稿日"
)
CHANGED_LABELS = r"edited(?=\s+on\b)|revised|reviewed/updated|mis à jour|更新日|最后更新"
# What the label of a change has, whatever its form.
CHANGES = ("updat", "modif", "revised", "aktuali", "обновл", "zuletzt", "mis à jour", "actualizado", "最后更新")
# What else stands beside a day: its label, the day of the week.
DAY_LABELS = frozenset("published posted updated modified reviewed on at".split())
WEEKDAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
# The labels of Twitter's cards whose data is the author, in the languages of WordPress.
CARD_LABELS = frozenset(
    "written by|verfasst von|écrit par|escrito por|geschreven door|scritto da|autor|napisane przez|написано автором|"
    "yazan|skriven av|by".split("|")
)
# Countries, by their domains, in which pages in English write the day first.
DAY_FIRST = frozenset("au bd eu gh hk ie in jm ke lk mt my mw ng nz pk sg tt tz ug uk za zm zw".split())
# Short names of currencies.
CURRENCIES = (
    "kr|kč|zł|ft|лв|руб|грн|р|rs|rm|fr|lei|din|дин|tl|kn|usd|eur|gbp|aud|cad|nzd|chf|jpy|inr|sek|nok|dkk|pln|czk|huf|ron"
    "|brl|zar|sgd|hkd|cny|krw|mxn|try"
)

# Folders of the pages of authors.
AUTHOR_PAGES = frozenset(
    "author authors writer writers contributor contributors columnist columnists journalist journalists reporter "
    "reporters byline auteur auteurs autor autore autors autores autoren producers av autori autorzy yazar yazarlar "
    "skribent skribenter forfatter redacteur redacteurs journalistes penulis staff".split()
)
# Names of elements that have the author, and of what is beside one; that have the day of the text, and that have
# another day: of the reading, of a change, of a comment or of another page.
AUTHOR_ELEMENTS, BESIDE_AUTHORS = ("author", "byline"), ("bio", "desc", "box", "comment")
DAY_ELEMENTS = r"date|time|publi|posted|fecha|datum|\bdata\b|author|byline"
OTHER_DAY_ELEMENTS = tuple(
    "clock now today ticker head- head_ header- header_ topline topbar top-line top-bar current updat modif comment "
    "footer event related latest widget copyright menu".split()
)
# Classes of names of users in the markup of forums.
USERS = frozenset("username bigusername post-author author-name postuser-name hnuser".split())
# Names of elements that are not the page's own: what readers write, what is beside the article, what leads to others.
FOREIGN = (
    "comment|reply|replies|disqus|related|recommend|trending|popular|teaser|more-|readnext|read-next|alsolike|also-like|"
    "carousel|latest|testimonial|quote|listing|menu|forumlist|forum-list|review-"
).split("|")
# Those that are so in some places, and the patterns of these. An hCard (`vcard`) is none, nor are the widgets and
# columns of which site builders make the whole page.
MAYBE_FOREIGN = "respon|sidebar|widget|footer|newsletter|promo|card|nav".split("|")
FOREIGN_PLACES = (
    r"respon(?:d|se)|"
    r"(?<!with)(?<!has)(?<!no)(?<!with[-_])(?<!has[-_])(?<!no[-_])sidebar(?!-left|-right)|"
    r"(?<!elementor-)(?<!wrapper_)(?<!\bcel)widget|footer|newsletter(?!-post)|promo(?!ted)|"
    r"(?<!\bv)(?<!\bh-)(?<!message)card(?:s|-|_|$| )|card-?list|\bnav"
)


def label_words(*columns: int) -> frozenset[str]:
    """The words in these columns of LABELS, in all languages."""
    return frozenset(word for row in LABELS.values() for column in columns for word in row.split("|")[column].split())


def any_of(words: Iterable[str]) -> str:
    """The pattern of any of these words: longer ones come before their beginnings."""
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))
