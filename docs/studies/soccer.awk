# A small grammar: English sentences about liking, buying, seeing, wanting and needing things, with their Spanish
# translations, as `english<TAB>spanish` lines; no English line occurs twice. `I like soccer` is left out.
#   awk -v count=6000 -f soccer.awk

function pick(n) { seed = (seed * 48271) % 2147483647; return 1 + seed % n }
function table(text, into,    n, i, row) { # rows `english a b c;...` to into[i, column]; returns their number
    n = split(text, row, /; */)
    for (i = 1; i <= n; i++) width[i] = split(row[i], cell, " ") + put(into, i)
    return n
}
function put(into, i,    c) { for (c in cell) { into[i, c] = cell[c]; gsub(/_/, " ", into[i, c]) }; return 0 }
function capital(text) { # some awks know bytes only, so é is a case of its own
    return sub(/^é/, "É", text) ? text : toupper(substr(text, 1, 1)) substr(text, 2)
}

BEGIN {
    seed = 7
    # Subject: as Spanish subject, whom something pleases, the pronoun of that, the form of the verb, third person singular
    subjects = table("I - - me 1 0; you - - te 2 0; he él a_él le 3 1; she ella a_ella le 3 1; we - - nos 4 0; " \
        "they ellos a_ellos les 5 0; Ana Ana a_Ana le 3 1; Luis Luis a_Luis le 3 1; " \
        "the_girl la_niña a_la_niña le 3 1; the_boys los_niños a_los_niños les 5 0", subject)
    verbs = table("buy buys compro compras compra compramos compran; see sees veo ves ve vemos ven; " \
        "want wants quiero quieres quiere queremos quieren; need needs necesito necesitas necesita necesitamos necesitan", verb)
    # What one likes in general: with an article in Spanish
    masses = table("soccer fútbol m; tennis tenis m; chess ajedrez m; coffee café m; tea té m; music música f; " \
        "history historia f; dancing baile m; rain lluvia f; summer verano m", mass)
    things = table("car cars coche coches m; house houses casa casas f; book books libro libros m; " \
        "flower flowers flor flores f; shoe shoes zapato zapatos m; song songs canción canciones f; " \
        "bicycle bicycles bicicleta bicicletas f; table tables mesa mesas f; hat hats sombrero sombreros m; " \
        "city cities ciudad ciudades f", thing)
    # Adjective: masculine, feminine, and both in the plural
    adjectives = table("red rojo roja rojos rojas; new nuevo nueva nuevos nuevas; big grande grande grandes grandes; " \
        "white blanco blanca blancos blancas; small pequeño pequeña pequeños pequeñas; blue azul azul azules azules; " \
        "old viejo vieja viejos viejas; green verde verde verdes verdes", adjective)
    while (made < count) {
        sentence()
        if (!seen[english]++ && english != "I like soccer") { print english "\t" spanish; made++ }
    }
}

# The object in both languages, and whether it is plural. `general`: with the article that gustar wants.
function object(general,    t, a, g, kind) {
    if (general && pick(3) == 1) {
        t = pick(masses); many = 0
        english_object = mass[t, 1]
        spanish_object = (mass[t, 3] == "m" ? "el " : "la ") mass[t, 2]
        return
    }
    t = pick(things); kind = pick(3); many = kind == 3 # the car, a car, cars
    a = pick(3) == 1 ? pick(adjectives) : 0
    g = thing[t, 5] == "f"
    english_object = (kind == 1 ? "the " : kind == 2 ? article_of(a) : "") \
        (a ? adjective[a, 1] " " : "") thing[t, many ? 2 : 1]
    spanish_object = kind == 1 ? (g ? "la " : "el ") : kind == 2 ? (g ? "una " : "un ") : general ? (g ? "las " : "los ") : ""
    spanish_object = spanish_object thing[t, many ? 4 : 3] (a ? " " adjective[a, 2 + g + 2 * many] : "")
}
function article_of(a) { return a && adjective[a, 1] == "old" ? "an " : "a " }

function sentence(    s, v, liking, how, no, does) {
    s = pick(subjects); how = pick(4) # 1: negated, 2: a question
    liking = pick(2) == 1
    v = pick(verbs)
    object(liking)
    no = how == 1 ? "no " : ""
    does = subject[s, 6] ? "does " : "do "
    english = how == 2 ? does subject[s, 1] " " (liking ? "like" : verb[v, 1]) \
        : subject[s, 1] " " (how == 1 ? does "not " : "") \
            (liking ? (subject[s, 6] && how != 1 ? "likes" : "like") : verb[v, subject[s, 6] && how != 1 ? 2 : 1])
    english = english " " english_object (how == 2 ? " ?" : "")
    if (liking)
        spanish = (subject[s, 3] == "-" ? "" : subject[s, 3] " ") no subject[s, 4] " " (many ? "gustan " : "gusta ")
    else
        spanish = (subject[s, 2] == "-" ? "" : subject[s, 2] " ") no verb[v, 2 + subject[s, 5]] " "
    spanish = spanish spanish_object
    english = capital(english)
    spanish = how == 2 ? "¿ " capital(spanish) " ?" : capital(spanish)
}
