package values

import "strings"

// truths are the words for true and false, in the languages that most people write.
var truths = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields("true yes y yep yeah yup aye affirmative on ja wahr jawohl richtig oui vrai sí si verdadero cierto sim " +
		"verdadeiro sì vero waar sant sandt tak prawda да истина правда так はい ええ 是 是的 真 对 對 예 네 참 evet doğru ano áno igen igaz da adevărat " +
		"kyllä tosi jah jā taip já ναι αληθές نعم صحيح हाँ हां सही হ্যাঁ ہاں بله כן ya benar có đúng ใช่ ndiyo oo ✓ ✔ ☑ ✅ 🗸 [x]") {
		m[w] = true
	}
	for _, w := range strings.Fields("false no n nope nah negative off nein falsch non faux falso não nee onwaar nej nei falskt falsk usant " +
		"usandt nie fałsz нет ложь неправда ні いいえ 否 假 不 不是 错 아니요 아니오 거짓 hayır yanlış ne nem hamis nu fals ei epätosi nē όχι ψευδές لا خطأ नहीं " +
		"না نہیں نه خیر לא tidak salah không sai ไม่ ไม่ใช่ hapana hindi ✗ ✘ ☐ ❌ ❎ ☒ ✖ ✕ [ ]") {
		m[w] = false
	}
	m["[ ]"] = false
	delete(m, "[")
	delete(m, "]")
	return m
}()

// nothing lists the texts that are no value.
var nothing = func() map[string]bool {
	m := map[string]bool{}
	for s := range strings.SplitSeq(noValues, ";") {
		m[strings.TrimSpace(s)] = true
	}
	return m
}()

// noValues are what people write where there is no value, without closing punctuation. A word that is also a state
// ("pending") or a thing ("none") is not among them.
const noValues = `;"";'';missing value;value missing;(missing);<missing>;[missing];none given;none provided;none specified;
none stated;∅;#ref!;#value;(unspecified);(not known);(undefined);(null);-;--;---;----;_;__;___;?;??;???;????;*;
**;***;(-);[];{};();...;/;//;n/a;n.a;n. a;n/k;n/d;#n/a;@n/a;<na>;null;<null>;\n;nil;<nil>;undefined;
undetermined;unknown;not known;unknown yet;not known yet;not yet known;still unknown;currently unknown;
unspecified;not specified;not yet specified;not stated;unk;not disclosed;undisclosed;not listed;n.n;not given;
not provided;not available;not_available;not currently available;not available yet;not applicable;
not_applicable;non applicable;does not apply;doesn't apply;not set;unset;not yet set;not defined;not recorded;
not reported;not entered;not filled in;not mentioned;not indicated;not sure;unsure;don't know;i don't know;
do not know;i do not know;we don't know;we do not know;nobody knows;no one knows;dont know;dunno;idk;no idea;
no clue;no data;no data available;no information;no information available;no info;no value;no entry;no record;
no details;information not available;data not available;value unknown;tbd;tba;tbc;t.b.d;t.b.a;t.b.c;t b d;tb d;
to be determined;to be decided;to be defined;to be announced;to be confirmed;to be advised;to be agreed;
to be specified;to be filled in;to be provided;yet to be determined;yet to be decided;yet to be confirmed;
yet to be announced;still to be determined;still to be decided;still to be confirmed;not yet determined;
not determined;not yet decided;not decided;not decided yet;not yet announced;not yet available;<unknown>;
(unknown);[unknown];{unknown};<none>;(none);(blank);(empty);<empty>;<blank>;[blank];[empty];[n/a];(n/a);<n/a>;
[tbd];(tbd);<tbd>;(not set);(not provided);<unset>;<undefined>;unbekannt;unklar;noch unklar;noch offen;
nicht bekannt;noch unbekannt;noch nicht bekannt;nicht verfügbar;keine angabe;keine angaben;ohne angabe;k.a;k. a;
k.a.;keine daten;keine information;keine informationen;nicht angegeben;nicht festgelegt;noch nicht festgelegt;
noch zu bestimmen;noch zu klären;zu bestimmen;wird noch bestimmt;wird noch festgelegt;wird nachgereicht;
nicht zutreffend;nicht anwendbar;entfällt;weiß nicht;weiss nicht;weiß ich nicht;ich weiß nicht;
ich weiß es nicht;keine ahnung;k/a;unbek;inconnu;inconnue;pas connu;non connu;non connue;non communiqué;
non communiquée;non renseigné;non renseignée;non précisé;non précisée;non spécifié;non spécifiée;non défini;
non définie;non disponible;pas disponible;indisponible pour le moment;non déterminé;indéterminé;à déterminer;
à définir;à confirmer;à préciser;sans objet;s.o;s/o;ne s'applique pas;je ne sais pas;aucune idée;aucune donnée;
pas de données;aucune information;n/c;desconocido;desconocida;se desconoce;sin datos;sin dato;sin información;
sin especificar;sin definir;sin determinar;no se sabe;no sé;no lo sé;no disponible;no aplica;no aplicable;
no procede;no consta;no especificado;no especificada;no indicado;no indicada;no definido;no determinado;
no informado;por determinar;por definir;por confirmar;por decidir;pendiente de definir;pendiente de confirmar;
a determinar;a definir;a confirmar;s/d;desconhecido;desconhecida;não disponível;não informado;não informada;
não especificado;não definido;não se aplica;não aplicável;não sei;não se sabe;sem informação;sem dados;
indisponível no momento;sconosciuto;sconosciuta;ignoto;ignota;non noto;non nota;non disponibile;non specificato;
non specificata;non applicabile;non definito;non indicato;non pervenuto;non so;non lo so;non si sa;da definire;
da determinare;da confermare;da decidere;da stabilire;nessun dato;nessuna informazione;onbekend;niet bekend;
nog onbekend;nog niet bekend;nog te bepalen;nader te bepalen;nog te bevestigen;niet beschikbaar;niet opgegeven;
niet ingevuld;niet gespecificeerd;niet van toepassing;n.v.t;nvt;n.n.b;nnb;n.t.b;ntb;weet niet;weet ik niet;
ik weet het niet;geen idee;geen gegevens;geen informatie;ukjent;ikke kjent;ikke oppgitt;ikke tilgjengelig;
ikke angitt;ikke relevant;ikke aktuelt;vet ikke;vet ej;ukendt;ikke kendt;ikke oplyst;ikke angivet;
ikke tilgængelig;ved ikke;ingen data;okänd;saknas;okänt;ej känt;inte känt;ej tillgänglig;ej tillgängligt;
inte tillgänglig;ej angivet;ej angiven;inte angivet;ej tillämpligt;vet inte;uppgift saknas;ingen uppgift;
tuntematon;ei tiedossa;ei tietoa;ei saatavilla;ei tiedetä;en tiedä;ei määritelty;nieznany;nieznana;nieznane;
brak danych;brak informacji;nie wiadomo;nie wiem;nie dotyczy;nie podano;nie określono;nieokreślony;nieokreślone;
niedostępne;do ustalenia;do uzgodnienia;do potwierdzenia;neznámý;neznámá;neznámé;není známo;neuvedeno;nevím;
není k dispozici;nedostupné;bude upřesněno;nezadáno;necunoscut;necunoscută;nespecificat;nu se știe;nu știu;
nu se aplică;ismeretlen;nem ismert;nincs adat;nincs megadva;nem tudom;bilinmiyor;bilinmeyen;belirtilmemiş;
belirsiz;bilmiyorum;belirlenecek;veri yok;bilgi yok;άγνωστο;άγνωστος;άγνωστη;δεν διατίθεται;δεν είναι γνωστό;
δεν ξέρω;неизвестно;неизвестен;неизвестна;неизвестный;неизвестное;нет данных;нет информации;не указано;
не указан;не указана;не задано;не определено;не определён;не применимо;неприменимо;не знаю;уточняется;
будет определено;будет уточнено;н/д;н.д;невідомо;невідомий;немає даних;не вказано;未知;不明;不詳;不详;待定;未定;待确认;待確認;待补充;
不知道;不清楚;不适用;不適用;无数据;無資料;暂无;暫無;未提供;未填写;未指定;未设置;未設定;該当なし;情報なし;データなし;わからない;分からない;わかりません;未入力;未記入;알 수 없음;알수없음;미정;미상;
모름;미확인;불명;정보 없음;해당 없음;해당없음;데이터 없음;غير معروف;غير معروفة;غير محدد;غير متوفر;مجهول;لا أعرف;غير متاح;لا ينطبق;
अज्ञात;ज्ञात नहीं;उपलब्ध नहीं;पता नहीं;लागू नहीं;tidak diketahui;belum diketahui;tidak tersedia;tidak ada data;
belum ditentukan;tidak berlaku;không rõ;không biết;chưa rõ;chưa biết;chưa xác định;không có thông tin;ไม่ทราบ;
ไม่ระบุ;לא ידוע;לא זמין;نامشخص;نامعلوم;معلوم نہیں`

// isNone reports whether a text is no value. Null with one capital is a surname, nan a bread.
func isNone(s spelling) bool { return nothing[s.low] && s.as != "Null" || s.as == "NaN" }
