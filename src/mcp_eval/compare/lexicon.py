"""Which words mean the same, which mean the opposite, and which say little."""

import re
from functools import lru_cache
from typing import NamedTuple


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


# Any two words of a group may stand for each other.
SYNONYMS = """
 |
find search lookup look locate get fetch retrieve obtain seek query discover list show display view
enumerate browse see give |
extract scrape get collect gather pull grab harvest |
check verify validate confirm ensure test inspect examine determine whether |
create make add build generate write author draft compose construct produce |
add insert append include attach put introduce implement |
configuration setup setting option preference config configure customize |
update upgrade bump modify change edit alter adjust revise refresh amend |
fix repair correct resolve patch solve address hotfix | bug defect issue problem fault |
error exception failure fault | fail break crash broken unsuccessful | typo misspelling spelling |
delete remove erase drop destroy purge clear wipe discard eliminate |
move transfer migrate relocate shift | convert transform translate turn |
copy duplicate clone replicate | send submit post deliver dispatch forward return give |
email mail | reply respond answer response | mention state report say tell |
buy purchase order acquire | book reserve reservation booking |
schedule plan arrange organize setup set calendar | meeting appointment conference sync |
cancel abort terminate | restart reboot relaunch reload |
run execute invoke perform trigger launch | release ship deploy publish launch rollout go |
improve enhance optimize boost refine tune | revert undo rollback restore |
increase raise grow boost enlarge extend | finish finalize complete conclude wrap done |
support help assistance aid | support handle | customer client shopper buyer consumer |
employee staff worker personnel | boss manager supervisor | kid child youngster |
car vehicle automobile auto | company firm business organization enterprise corporation |
city town | image picture photo photograph icon | film movie | song track | music tune |
article post story | paper publication study research |
document documentation guide manual reference | tutorial guide walkthrough introduction |
folder directory | repository codebase | page site website webpage | link url hyperlink |
field box textbox input | menu dropdown list | application program software |
function method routine procedure | argument parameter option | network net |
detail information description metadata | record row entry | price cost fee charge |
cheap inexpensive affordable budget | expensive costly pricey | big large huge | small little tiny |
best top greatest leading finest good | recent latest new newest current | fast quick rapid |
near around nearby close | now current currently present | per each every all |
total sum aggregate overall | average mean | count number quantity many |
over above exceed beyond more | under below less fewer | last past previous | left remain leftover |
before prior earlier | after following later once past | holiday vacation leave |
example sample demo | difference compare comparison versus vs | explain describe clarify |
summary summarize overview recap digest | use utilize employ apply | employ hire recruit |
work job employment | live reside base dwell | like prefer love enjoy favor want |
need require must | boss head | doctor physician | medicine drug medication |
illness disease sickness | trip travel journey | hotel accommodation lodging | restaurant eatery |
food meal dish eat | pay payment | refund reimburse reimbursement | invoice bill | discount coupon |
phone call ring | mobile phone smartphone cell | talk speak discuss chat |
relate about regard concern | allow permit grant enable authorize let give | block lock freeze |
ask request | choose select pick | replace swap substitute | rename retitle |
monitor watch observe track | log journal | place location venue spot | buy shop | begin start |
connect link join | error err | team group squad | computer laptop notebook machine |
server host machine | authenticate login credential | password passphrase credential |
crash freeze hang | history log changelog | latency delay lag | memory ram | traffic load |
lawyer attorney | flat apartment | stock share equity | salary wage pay income |
university college | television tv | plane aircraft airplane flight | sick ill unwell |
wifi wireless | street road avenue | shop store market | gift present | ocean sea |
exercise workout training | training course class lesson | recipe dish | concert gig show |
author writer | title name label heading | label tag | category type kind class | version release |
account profile | rule policy guideline | permission right access privilege | restrict limit |
limit cap maximum threshold | outage downtime | alert notification warning alarm | warn alert |
reminder remind | attempt try | retry reattempt | template boilerplate | dashboard panel overview |
chart graph plot diagram | statistic metric figure | forecast prediction predict outlook |
risk danger hazard | benefit advantage pro | drawback disadvantage con | step stage phase |
feature capability functionality | plugin extension addon | library package module dependency |
backend server | frontend client ui | schema structure | column field attribute property |
key identifier | callback hook | job task | queue backlog | contributor committer author |
maintainer owner | owner holder | member participant | guest visitor | visit view |
address location | arrive reach come | depart leave | stay lodge | nearby close |
correct right accurate | wrong incorrect false | empty blank | duplicate repeated | unused dead |
obsolete deprecated outdated | mandatory required compulsory | automatic automated automatically |
manual hand | possible feasible | important critical essential key | urgent critical immediate |
main primary principal major | whole entire full complete | specific particular certain |
popular common frequent | similar alike comparable | free gratis | purpose goal aim objective |
task todo assignment | year yearly annual annually | accelerate speed hasten |
accomplish achieve attain | advise recommend suggest propose | agree concur |
allocate assign provision | announce declare publish | anticipate expect | appear seem emerge |
archive store save persist | assess evaluate rate judge review | assume suppose | blend mix |
bring fetch | calculate compute figure | carry transport | clean tidy cleanup |
collaborate cooperate | comment remark | comment note annotation | consume eat use | contact reach |
contain hold include | continue resume proceed | control manage operate administer |
convince persuade | crop trim prune | decide determine | define specify | demonstrate show |
detect find spot notice identify recognize | develop build | divide split | donate contribute |
emphasize highlight stress | enter type input fill | establish found | estimate approximate guess |
exchange swap trade | expire lapse end | fill populate | flag mark | follow track | group cluster |
guard protect secure | happen occur | harm damage hurt | ignore skip omit | infer deduce |
inform notify tell alert | investigate research explore study analyze | listen hear | play listen |
maintain keep preserve retain | measure gauge quantify | navigate go open browse visit |
offer provide supply | outline sketch draft | own possess have | prepare ready | print output |
predict forecast | promote advance | prompt ask | realize notice | recall remember |
redirect forward reroute | rely depend | remain stay | render draw paint | rent lease hire |
repeat redo | rescue save | resize scale | rotate turn | sort order rank | suspend pause |
switch toggle change | teach educate instruct | throw raise | trace track | treat cure |
understand comprehend | vanish disappear | visualize plot | wait await | wash clean |
click press tap push | hover point | scroll swipe | drag move | type write enter | download save |
login log | access open reach | import load | export save | parse read | quit exit close leave |
ability capability skill | advertisement ad advert | agreement contract | area region zone |
artist musician | baby infant | back rear | bathroom restroom toilet | bike bicycle | border edge |
bus coach | candidate applicant | career job | cash money | center centre middle |
chance opportunity possibility | choice option alternative | cinema theater theatre |
clinic hospital | clothes clothing apparel | coast shore | colleague coworker teammate |
color colour | country nation | crew team | cure treatment therapy | deadline due |
delivery shipment | dinner supper | disk drive | display screen monitor |
engineer developer programmer coder dev | equipment gear | evidence proof | exam test quiz |
expert specialist | factory plant | father dad | mother mom mum | fuel gas petrol | garden yard |
gender sex | goods merchandise product | grade score mark | husband spouse | wife spouse |
impact effect influence | industry sector | injury wound | instance copy | jacket coat |
lecture talk | lift elevator | luggage baggage | marriage wedding | math maths mathematics |
mistake error | motor engine | opinion view | package parcel | part component piece |
passenger traveler | path route | person people folk human | percentage percent | prison jail |
prize award | pupil student | queue line | rail train | reason cause why | result outcome finding |
rock stone | rubbish trash garbage | safe secure | schedule timetable agenda | security safety |
ship boat vessel | soccer football | speed velocity | strategy plan | subway metro underground |
supplier vendor provider | surgery operation | survey poll questionnaire | taxi cab |
teacher instructor tutor | tip hint suggestion | topic subject theme | truck lorry |
warranty guarantee | world earth globe | zone region | awful bad terrible poor | beautiful pretty |
brief short concise | broad wide | calm relaxed | certain sure | clever smart intelligent |
complex complicated | difficult hard tough | unique distinct | easy simple straightforward |
exact precise | glad happy pleased | helpful useful handy | identical same |
immediate instant instantly | lengthy long | modern new | normal regular standard usual default |
odd strange weird | quiet silent | rare uncommon | real actual genuine | rich wealthy |
secret confidential | suitable appropriate fitting | tasty delicious | typical usual |
young youthful | abroad overseas international | vegetarian meatless | often frequently |
maybe perhaps | quickly fast promptly | almost nearly | soon shortly |
merge combine consolidate unify | rollout deployment | incident outage | endpoint route |
request query | exception throw | flaky unstable intermittent | regression bug |
cleanup housekeeping | refactor restructure reorganize rewrite | deprecate retire sunset |
bypass circumvent skip | hardcode hardcoded | sanitize escape | throttle ratelimit | cache memoize |
timestamp time date | filename file | hostname host | docs readme | container docker |
cluster kubernetes | ticket issue story | milestone deadline target | sprint iteration |
standup meeting | repo project | snippet fragment excerpt | wiki docs | invite invitation |
attendee participant invitee | venue place | transcript recording | folder album collection |
playlist mix | subscription membership plan | order purchase | basket cart | checkout payment pay |
shipping delivery postage | stock inventory | coupon voucher | rating review | balance funds |
transaction transfer payment | loan credit | receipt invoice | seat place | ticket fare |
flight plane | cabin class | layover stopover connection
"""

# The words on one side may stand for each other, and say the opposite of the other side.
ANTONYMS = """
enable activate on allow permit > disable deactivate off |
start begin launch boot > stop halt end kill shut | open reopen > close shut |
before prior earlier > after following later since |
allow permit grant authorize > deny forbid block disallow prohibit revoke refuse |
accept approve confirm > reject decline deny refuse |
create add make insert introduce support > delete remove drop erase destroy |
increase raise grow up > decrease lower reduce shrink cut down |
maximum most highest largest upper biggest longest > minimum least lowest smallest lower shortest |
over above more greater exceed > under below fewer less | top best upper > bottom worst lower |
first initial earliest > last final latest | ascending > descending |
success succeed pass work > fail break failure unsuccessful broken |
fast quick rapid > slow sluggish | cheap inexpensive affordable > expensive costly pricey |
big large huge > small little tiny | new newest latest recent > old oldest outdated legacy |
lock > unlock | login signin > logout signout |
subscribe register signup enroll join > unsubscribe unregister leave | encrypt > decrypt |
encode serialize > decode deserialize | compress zip > decompress unzip |
import ingest load > export dump | upload push send > download pull receive | install > uninstall |
connect attach > disconnect detach | public > private |
internal inside indoor inner > external outside outdoor outer |
input incoming inbound > output outgoing outbound | read > write | local > global remote |
online up available > offline down unavailable | active enabled > inactive disabled |
visible show reveal > hidden hide conceal | synchronous > asynchronous | horizontal > vertical |
left > right | north northern > south southern | east eastern > west western | day > night |
morning > evening | hot warm > cold cool | light bright > dark | win > lose | buy purchase > sell |
arrive arrival > depart departure | merge combine join > split separate |
include > exclude omit except | optional > mandatory required | valid > invalid |
same equal > different | positive > negative | child minor kid > adult | male man > female woman |
full > empty | always > never | primary main > secondary | source origin > destination target |
increment > decrement | expand > collapse | forward > backward | debit > credit |
apply > revert undo rollback | submit confirm > cancel | assign > unassign | mute > unmute |
legal > illegal | safe > dangerous | like love enjoy > hate dislike | remain remaining > used |
strict > lenient | even > odd | future upcoming next > past previous | cause > effect |
buyer > seller | sender > receiver recipient | better good > worse bad | strong > weak |
thick > thin | wide > narrow | deep > shallow | long > short brief | high > low | heavy > light |
early > late | easy simple > hard difficult complex | rich > poor | clean > dirty |
happy glad > sad unhappy | wet > dry | loud > quiet silent | young > old | tall > short |
soft > hard | near close > far distant | front > back rear | husband > wife | mother > father |
brother > sister | son > daughter | boy > girl | profit gain > loss | gain > lose |
hire employ > fire dismiss | borrow > lend | plus add > minus subtract | multiply > divide |
upstream > downstream | uppercase > lowercase | foreground > background | client > server |
frontend > backend | request > response | allowlist whitelist > denylist blacklist blocklist |
ingress > egress | commit > rollback | staging > production | development > production |
follow > unfollow | pin > unpin | archive > unarchive restore | mount > unmount |
freeze > unfreeze thaw | wake > sleep | pause suspend > resume continue |
keep retain preserve > delete remove discard drop | secure > insecure | weekday > weekend |
earn > spend | entrance > exit | tenant > landlord | employer > employee | agree > disagree |
appear > disappear vanish | load > unload | pack > unpack | virtual > physical |
manual > automatic automated | static > dynamic | permanent > temporary | absolute > relative |
mutable > immutable | sequential serial > parallel | eager > lazy | inclusive > exclusive |
single > multiple | domestic > international | urban > rural | summer > winter | sunrise > sunset |
am > pm | healthy > unhealthy sick | parent > child | leader > follower | master > slave replica |
asleep > awake | alive > dead | attack > defend | reward > punish | accelerate > slow |
present > absent | known > unknown | common > rare | gain > loss | guest > host |
plural > singular | odd > even | ask > answer | question > answer | majority > minority |
theory > practice | supply > demand | war > peace | cheapest lowest > priciest highest |
fastest > slowest | newest > oldest | best > worst | nearest closest > farthest |
biggest largest > smallest | hottest > coldest | more > less fewer
"""

# Short forms that no rule of letters finds.
SHORT = """
env environment | var variable | cfg configuration | conf configuration | config configuration |
db database | repo repository | dir directory | auth authentication | doc document | docs document |
prod production | dev development | pg postgres | postgresql postgres | k8s kubernetes |
js javascript | ts typescript | py python | golang go | ns namespace | tz timezone | id identifier |
qty quantity | asc ascending | desc descending | perm permission | async asynchronous |
sync synchronous | min minimum | max maximum | avg average | num number | vs versus |
dep dependency | mac macos | acct account | addr address | sec second |
hr hour | wk week | yr year | temp temporary | ref reference | pic picture | biz business |
dept department | govt government | univ university | tech technology | lang language |
func function | fn function | param parameter | arg argument | attr attribute | img image |
btn button | app application | info information | admin administrator | org organization |
spec specification | mon monday | tue tuesday | wed wednesday | thu thursday | fri friday |
sat saturday | sun sunday | jan january | feb february | mar march | apr april | jun june |
jul july | aug august | sept september | oct october | nov november | dec december | s second |
h hour | feat feature | kb kilobyte | mb megabyte | gb gigabyte | usa us | ms millisecond
"""

# Several words that are one.
PHRASES = """
turn on=enable | switch on=enable | turn off=disable | switch off=disable | set up=setup |
look up=lookup | look for=find | search for=find | log in=login | sign in=login | log on=login |
log out=logout | sign up=signup | sign out=logout | shut down=stop | get rid of=delete |
more than=over | greater than=over | less than=under | fewer than=under | at least=minimum |
at most=maximum | prior to=before | number of=count | how many=count | how much=count |
send back=return | roll back=revert | back up=backup | clean up=cleanup | check out=checkout |
would like=want | right now=now | up to=to | close to=near | due to=because |
unable to=can not | have to=must | each of=each | as of=since |
out of=from | such as=like
"""

IRREGULAR = """
ran run | written write | wrote write | made make | found find | got get | sent send | built build |
broke break | broken break | bought buy | sold sell | children child | people person | men man |
women woman | mice mouse | indices index | met meet | paid pay | went go | gone go | shown show |
lost lose | held hold | kept keep | took take | taken take | chose choose | chosen choose |
began begin | begun begin | hid hide | hidden hide | said say | told tell | gave give | given give |
saw see | seen see | thought think | used use | using use | came come | knew know | known know
"""

NUMBERS = _words("""
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
sixteen seventeen eighteen nineteen twenty
""")

NEGATIONS = frozenset(
    _words("""
not no never without none neither nor non nothing nobody
""")
)
SILENT = NEGATIONS | {"v"}  # counted, or said for nothing: `v2` is 2
STOPS = frozenset(
    _words("""
a an the of for in on off up down at to by with and or is are was were be been being am do does did
has have had having will would can could should may might shall this that these those it its i we
you he she they my our your his her their me us them there here as if then than so just also very
really please what which who whom whose how when where why from into onto but via between through
during within across still yet out
""")
)
# Words that seldom carry the point of a request.
LIGHT = frozenset(
    _words("""
find search get list show new current some any all item thing stuff relate information detail give
make use want need example about regard per each every please ticket feature fix chore method way
tool result set go take quick simple good related like exist
""")
)
# Alone on one side, they undo what the rest says.
REVERSING = frozenset(
    _words("""
stop drop remove disable revert undo avoid prevent cease unlike
""")
)
# What stands on which side of these changes who does what.
ROLES = {"into": "to", "onto": "to", "toward": "to", "of_": "of"} | {
    role: role for role in ("from", "to", "of", "by", "on", "than")
}
# What a word may end in and stay the same word.
_ENDINGS = _words("""
s es e ed d ing er ers or ors ion ions ation ations tion sion ssion ment ments ly al ally able ible
ity ness y ive ure ance ence ant ent ful ish ist ize ise ized izing ization ic ical age ate ated
ating ual te ting ian ean ication l t ption b sis ze
""")
ENDINGS = frozenset(  # as a stem shows them: a last e gone, a last y an i
    ["", *(shown for e in _ENDINGS for shown in (e, e.removesuffix("e"), re.sub("y$", "i", e)))]
)
# Between these, either may come first.
COORDINATING = frozenset(
    _words("""
and or versu vs between with
""")
)
# Prefixes that turn a word into its opposite.
TURNED = ("un", "in", "im", "dis", "non", "mis", "ir", "il")

STOP, _LIGHT, _KNOWN, _RARE, _NUMBER = 0.05, 0.4, 0.9, 1.1, 1.5  # what a word weighs
_BASE = re.compile(r"(?=.*[aeiouy]).{2,}[^e]")  # what may stand before -ing and -ed


class Word(NamedTuple):
    """One word as it is matched."""

    stem: str
    form: str
    weight: float


@lru_cache(maxsize=16384)
def word(form: str) -> Word:
    """One lower-case word, with its stem and what it weighs."""
    root = stem(form)
    if root[0].isdigit():
        return Word(root, form, _NUMBER)
    if form in STOPS or form == "of_":
        return Word(form, form, STOP)
    if form in LIGHT or root in LIGHT:
        return Word(root, form, _LIGHT)
    return Word(root, form, _KNOWN if root in senses()[0] else _RARE)


@lru_cache(maxsize=16384)
def stem(form: str) -> str:
    """A word without its inflection, abbreviations spelt out, number words as digits."""
    if form[0].isdigit():
        return form.replace(",", "")
    if form in NUMBERS:
        return str(NUMBERS.index(form))
    short = _table(SHORT)
    plain = _table(IRREGULAR).get(form) or _uninflected(form)
    return _uninflected(short.get(form) or short.get(plain) or plain)


def _uninflected(form: str) -> str:
    if form.endswith(("ies", "ied")) and len(form) > 4:  # noqa: PLR2004 -- ties, died
        return form[:-2]
    if re.fullmatch("[^aeiou]{2}s", form):  # PRs, DBs
        return form[:2]
    if form.endswith("s") and len(form) > 3 and not form.endswith(("ss", "us", "is")):  # noqa: PLR2004
        form = form[:-2] if form.endswith(("sses", "shes", "ches", "xes")) else form[:-1]
    for ending in ("ing", "ed"):
        base = form[: -len(ending)]
        if form.endswith(ending) and _BASE.fullmatch(base):
            doubled = len(base) > 3 and base[-1] == base[-2] and base[-1] not in "lsz"  # noqa: PLR2004
            form = base[:-1] if doubled else base
            break
    if form.endswith("y") and len(form) > 2 and form[-2] not in "aeiou":  # noqa: PLR2004
        return form[:-1] + "i"
    return form[:-1] if form.endswith("e") and len(form) > 3 else form  # noqa: PLR2004


@lru_cache(maxsize=1)
def phrases() -> dict[str, dict[str, str]]:
    """What several words mean as one: by the stem of the first, by the second."""
    found: dict[str, dict[str, str]] = {}
    for entry in PHRASES.split("|"):
        words, _, meaning = entry.strip().partition("=")
        first, second, *_ = words.split()
        found.setdefault(word(first).stem, {})[second] = meaning
    return found


@lru_cache(maxsize=4)
def _table(entries: str) -> dict[str, str]:
    pairs = (entry.split() for entry in entries.split("|"))
    return {pair[0]: pair[1] for pair in pairs}


@lru_cache(maxsize=1)
def senses() -> tuple[dict[str, set[int]], dict[str, set[int]]]:
    """For each stem the meanings it may have, and those it is the opposite of."""
    groups = SYNONYMS.split("|")
    pairs = [side for pair in ANTONYMS.split("|") for side in pair.split(">")]
    meanings: dict[str, set[int]] = {}
    against: dict[str, set[int]] = {}
    for number, group in enumerate([*groups, *pairs]):
        for form in group.split():
            meanings.setdefault(stem(form), set()).add(number)
            if number >= len(groups):  # the sides of a pair stand beside each other
                other = len(groups) + ((number - len(groups)) ^ 1)
                against.setdefault(stem(form), set()).add(other)
    return meanings, against


@lru_cache(maxsize=1)
def reversing() -> frozenset[str]:
    """The stems of the words that undo what the rest says."""
    return frozenset(stem(form) for form in REVERSING)
