// Example inputs, written for this page.

export const EXAMPLES = [
  {
    "name": "Icelandic",
    "value": "Bókasafnið er opið alla daga vikunnar og aðgangur er ókeypis fyrir börn og unglinga."
  },
  {
    "name": "Three languages on a page",
    "value": "<html lang=\"de\"><title>Museum am See</title><h1>Willkommen im Museum am See</h1><p>Das Museum ist jeden Tag von zehn bis achtzehn Uhr geöffnet, und an Sonntagen gibt es Führungen durch die Sammlung.</p><p>Le musée est ouvert tous les jours de dix heures à dix-huit heures, et le dimanche il y a des visites guidées de la collection.</p><p>Музей открыт каждый день с десяти до восемнадцати часов, а по воскресеньям проводятся экскурсии.</p>",
    "url": "https://example.ch/museum"
  },
  {
    "name": "Croatian or Serbian?",
    "value": "Vlak kasni deset minuta, pa idemo pješice do kazališta."
  },
  {
    "name": "Right to left",
    "value": "הספרייה פתוחה בכל יום מתשע בבוקר עד שמונה בערב, והכניסה חופשית לכולם."
  },
  {
    "name": "Decoded with a wrong encoding",
    "value": "Die Bibliothek ist tÃ¤glich geÃ¶ffnet, auÃŸer an Feiertagen; fÃ¼r SchÃ¼ler ist der Eintritt frei und FÃ¼hrungen gibt es hÃ¤ufig."
  },
  {
    "name": "A page with a wrong charset declaration",
    "value": "",
    "file": "knihovna.html",
    "base64": "PGh0bWw+PGhlYWQ+PG1ldGEgY2hhcnNldD1pc28tODg1OS0xPjx0aXRsZT5Lbmlob3ZuYTwvdGl0bGU+PC9oZWFkPjxib2R5PjxoMT5PdGV27XJhY+0gZG9iYTwvaDE+PHA+S25paG92bmEgamUgb3RldvhlbmEga2GeZP0gZGVuIGtyb23sIG5lZOxsZSBvZCBkZXbtdGkgZG8gmmVzdGkuIMh0ZW7h+Gkgc2kgbW9ob3UgcPlq6Gl0IGGeIGRlc2V0IGtuaWggbmEg6HR5+GkgdP1kbnkuPC9wPjwvYm9keT48L2h0bWw+"
  },
  {
    "name": "A URL alone",
    "value": "https://www.example.com/aktualnosci/gospodarka/ceny-mieszkan"
  },
  {
    "name": "Amharic",
    "value": "ቤተ መጻሕፍቱ በየቀኑ ከጠዋቱ ሦስት ሰዓት ጀምሮ ክፍት ነው።"
  }
];
