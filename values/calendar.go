package values

import "strings"

// months are the names of the months and their abbreviations, in the languages that most documents are written in.
var months = func() map[string]int {
	m := map[string]int{}
	for i, names := range []string{
		"january jan januar jänner jän janvier janv enero ene gennaio gen janeiro januari tammikuu tammikuuta styczeń stycznia leden ledna január " +
			"ianuarie ocak января январь янв січня січень януари ιανουαρίου ιανουάριος gener siječnja januara يناير जनवरी ינואר",
		"february feb februar feber février févr fév fevrier febrero febbraio fevereiro fev februari helmikuu helmikuuta luty lutego únor února " +
			"február februarie şubat февраля февраль фев лютого лютий φεβρουαρίου φεβρουάριος febrer فبراير फ़रवरी פברואר",
		"march mar märz mär mrz mars marzo março marco maart mrt marts maaliskuu maaliskuuta marzec marca březen března marec március martie " +
			"mart maret марта март мар березня березень μαρτίου μάρτιος març ožujka مارس मार्च מרץ",
		"april apr avril avr abril abr aprile huhtikuu huhtikuuta kwiecień kwietnia duben dubna apríl április aprilie nisan апреля апрель " +
			"апр квітня квітень απριλίου απρίλιος travnja أبريل अप्रैल אפריל",
		"may mai mayo maggio mag maio mei maj toukokuu toukokuuta maja květen května máj május mayıs мая май травня травень μαΐου μάιος " +
			"maig svibnja مايو मई מאי",
		"june jun juni juin junio giugno giu junho kesäkuu kesäkuuta czerwiec czerwca červen června jún június iunie haziran июня июнь июн " +
			"червня червень ιουνίου ιούνιος juny lipnja يونيو जून יוני",
		"july jul juli juillet juil julio luglio lug julho heinäkuu heinäkuuta lipiec lipca červenec července júl július iulie temmuz июля июль " +
			"июл липня липень ιουλίου ιούλιος juliol srpnja يوليو जुलाई יולי",
		"august aug août aout agosto ago augustus augusti elokuu elokuuta sierpień sierpnia srpen srpna augusztus ağustos agustus августа " +
			"август авг серпня серпень αυγούστου αύγουστος agost kolovoza أغسطس अगस्त אוגוסט",
		"september sep sept septembre septiembre setiembre set settembre setembro syyskuu syyskuuta wrzesień września září szeptember " +
			"septembrie eylül сентября сентябрь сен сент вересня вересень σεπτεμβρίου σεπτέμβριος setembre rujna سبتمبر सितंबर ספטמבר",
		"october oct oktober okt octobre octubre ottobre ott outubro out lokakuu lokakuuta październik października říjen října október " +
			"octombrie ekim октября октябрь окт жовтня жовтень οκτωβρίου οκτώβριος listopada أكتوبر अक्टूबर אוקטובר",
		"november nov novembre noviembre novembro marraskuu marraskuuta listopad listopadu noiembrie kasım ноября ноябрь ноя " +
			"листопада листопад νοεμβρίου νοέμβριος studenoga نوفمبر नवंबर נובמבר",
		"december dec dezember dez décembre déc decembre diciembre dic dicembre dezembro desember joulukuu joulukuuta grudzień grudnia " +
			"prosinec prosince decembrie aralık desembre декабря декабрь дек грудня грудень δεκεμβρίου δεκέμβριος prosinca ديسمبر दिसंबर דצמבר",
	} {
		for _, n := range strings.Fields(names) {
			m[n] = i + 1
		}
	}
	delete(m, "listopada") // October in Croatian, November in Polish
	delete(m, "srpna")
	m["srpna"] = 8
	return m
}()

// romans are the months in Roman numbers, as between points: 3.IX.2025.
var romans = map[string]int{
	"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9, "x": 10, "xi": 11, "xii": 12,
}

// weekdays are the names of the days of the week: bits from Sunday on, because a short name may be of several days.
var weekdays = func() map[string]int {
	m := map[string]int{}
	for i, names := range []string{
		"sunday sun sonntag so dimanche dim domingo domenica dom zondag zo søndag söndag sön søn niedziela neděle воскресенье вс неділя 日曜日 日 日曜 星期日 星期天 周日 일요일 일 sunnuntai su pazar",
		"monday mon montag mo lundi lun lunes lunedì segunda-feira segunda seg maandag ma mandag måndag mån man poniedziałek pondělí понедельник пн понеділок 月曜日 月 月曜 星期一 周一 월요일 월 maanantai pazartesi",
		"tuesday tue tues dienstag di mardi mar martes martedì terça-feira terça ter dinsdag tirsdag tisdag tis tir wtorek úterý вторник вт вівторок 火曜日 火 火曜 星期二 周二 화요일 화 tiistai ti salı",
		"wednesday wed weds mittwoch mi mercredi mer miércoles mié mercoledì quarta-feira quarta qua woensdag wo onsdag ons środa středa среда ср середа 水曜日 水 水曜 星期三 周三 수요일 수 keskiviikko ke çarşamba",
		"thursday thu thur thurs donnerstag do jeudi jeu jueves jue giovedì gio quinta-feira quinta qui donderdag torsdag tor tors czwartek čtvrtek четверг чт четвер 木曜日 木 木曜 星期四 周四 목요일 목 torstai to perşembe",
		"friday fri freitag fr vendredi ven viernes vie venerdì sexta-feira sexta sex vrijdag vr fredag fre piątek pátek пятница пт п'ятниця 金曜日 金 金曜 星期五 周五 금요일 금 perjantai pe cuma",
		"saturday sat samstag sonnabend sa samedi sam sábado sáb sab sabato zaterdag za lørdag lördag lör lør sobota суббота сб субота 土曜日 土 土曜 星期六 周六 토요일 토 lauantai la cumartesi",
	} {
		for _, n := range strings.Fields(names) {
			m[n] |= 1 << i
		}
	}
	delete(m, "to") // 5 to 7
	return m
}()

// fillers are the words that may stand between the parts of a date.
var fillers = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields("the of on day de del di d' den le la el il year r roku г года р року an anul в κ του da do an. r. der dem am " +
		"lo os as") {
		m[w] = true
	}
	return m
}()

// ordinalWords are the days of a month in words.
var ordinalWords = func() map[string]int {
	m := map[string]int{"thirtieth": 30, "thirty-first": 31, "twentieth": 20, "premier": 1}
	for i, w := range strings.Fields("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth " +
		"fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth") {
		m[w] = i + 1
		if i < 9 {
			m["twenty-"+w] = 21 + i
		}
	}
	return m
}()
