"""What pages write beside names and days, in the languages of the Web: labels, which are no names.

"actualizado" in LABELS    # True
without_labels("Veröffentlicht von Ann Lee Zuletzt bearbeitet")    # 'Ann Lee'
is_copyright("© Ann Lee, AP")    # True

Libraries of locale data (CLDR) have the names of months and days, but no labels.
"""

from __future__ import annotations

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
DAY_LABELS = _column(_MADE, _CHANGED)
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
