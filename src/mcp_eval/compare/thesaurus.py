"""General English: which words mean the same, which the opposite, and how they are shortened."""

# Any two words of a group may stand for each other.
SYNONYMS = """
find search lookup look locate get fetch retrieve obtain seek query discover list show display
view enumerate browse see give | extract scrape get collect gather pull grab harvest | check
verify validate confirm ensure test inspect examine determine whether | create make add build
generate write author draft compose construct produce | add insert append include attach put
introduce implement | configuration setup setting option preference config configure customize |
update upgrade bump modify change edit alter adjust revise refresh amend | fix repair correct
resolve patch solve address hotfix | bug defect issue problem fault | error exception failure
fault | fail break crash broken unsuccessful | typo misspelling spelling | delete remove erase
drop destroy purge clear wipe discard eliminate | move transfer migrate relocate shift | convert
transform translate turn | copy duplicate clone replicate | send submit post deliver dispatch
forward return give | email mail | reply respond answer response | mention state report say tell |
buy purchase order acquire | book reserve reservation booking | schedule plan arrange organize
setup set calendar | meeting appointment conference sync | cancel abort terminate | restart reboot
relaunch reload | run execute invoke perform trigger launch | release ship deploy publish launch
rollout go | improve enhance optimize boost refine tune | revert undo rollback restore | increase
raise grow boost enlarge extend | finish finalize complete conclude wrap done | support help
assistance aid | support handle | customer client shopper buyer consumer | employee staff worker
personnel | boss manager supervisor | kid child youngster | car vehicle automobile auto | company
firm business organization enterprise corporation | city town | image picture photo photograph
icon | film movie | song track | music tune | article post story | paper publication study
research | document documentation guide manual reference | tutorial guide walkthrough introduction
| folder directory | repository codebase | page site website webpage | link url hyperlink | field
box textbox input | menu dropdown list | application program software | function method routine
procedure | argument parameter option | network net | detail information description metadata |
record row entry | price cost fee charge | cheap inexpensive affordable budget | expensive costly
pricey | big large huge | small little tiny | best top greatest leading finest good | recent
latest new newest current | fast quick rapid | near around nearby close | now current currently
present | per each every all | total sum aggregate overall | average mean | count number quantity
many | over above exceed beyond more | under below less fewer | last past previous | left remain
leftover | before prior earlier | after following later once past | holiday vacation leave |
example sample demo | difference compare comparison versus vs | explain describe clarify | summary
summarize overview recap digest | use utilize employ apply | employ hire recruit | work job
employment | live reside base dwell | like prefer love enjoy favor want | need require must | boss
head | doctor physician | medicine drug medication | illness disease sickness | trip travel
journey | hotel accommodation lodging | restaurant eatery | food meal dish eat | pay payment |
refund reimburse reimbursement | invoice bill | discount coupon | phone call ring | mobile phone
smartphone cell | talk speak discuss chat | relate about regard concern | allow permit grant
enable authorize let give | block lock freeze | ask request | choose select pick | replace swap
substitute | rename retitle | monitor watch observe track | log journal | place location venue
spot | buy shop | begin start | connect link join | error err | team group squad | computer laptop
notebook machine | server host machine | authenticate login credential | password passphrase
credential | crash freeze hang | history log changelog | latency delay lag | memory ram | traffic
load | lawyer attorney | flat apartment | stock share equity | salary wage pay income | university
college | television tv | plane aircraft airplane flight | sick ill unwell | wifi wireless |
street road avenue | shop store market | gift present | ocean sea | exercise workout training |
training course class lesson | recipe dish | concert gig show | author writer | title name label
heading | label tag | category type kind class | version release | account profile | rule policy
guideline | permission right access privilege | restrict limit | limit cap maximum threshold |
outage downtime | alert notification warning alarm | warn alert | reminder remind | attempt try |
retry reattempt | template boilerplate | dashboard panel overview | chart graph plot diagram |
statistic metric figure | forecast prediction predict outlook | risk danger hazard | benefit
advantage pro | drawback disadvantage con | step stage phase | feature capability functionality |
plugin extension addon | library package module dependency | backend server | frontend client ui |
schema structure | column field attribute property | key identifier | callback hook | job task |
queue backlog | contributor committer author | maintainer owner | owner holder | member
participant | guest visitor | visit view | address location | arrive reach come | depart leave |
stay lodge | nearby close | correct right accurate | wrong incorrect false | empty blank |
duplicate repeated | unused dead | obsolete deprecated outdated | mandatory required compulsory |
automatic automated automatically | manual hand | possible feasible | important critical essential
key | urgent critical immediate | main primary principal major | whole entire full complete |
specific particular certain | popular common frequent | similar alike comparable | free gratis |
purpose goal aim objective | task todo assignment | year yearly annual annually | accelerate speed
hasten | accomplish achieve attain | advise recommend suggest propose | agree concur | allocate
assign provision | announce declare publish | anticipate expect | appear seem emerge | archive
store save persist | assess evaluate rate judge review | assume suppose | blend mix | bring fetch
| calculate compute figure | carry transport | clean tidy cleanup | collaborate cooperate |
comment remark | comment note annotation | consume eat use | contact reach | contain hold include
| continue resume proceed | control manage operate administer | convince persuade | crop trim
prune | decide determine | define specify | demonstrate show | detect find spot notice identify
recognize | develop build | divide split | donate contribute | emphasize highlight stress | enter
type input fill | establish found | estimate approximate guess | exchange swap trade | expire
lapse end | fill populate | flag mark | follow track | group cluster | guard protect secure |
happen occur | harm damage hurt | ignore skip omit | infer deduce | inform notify tell alert |
investigate research explore study analyze | listen hear | play listen | maintain keep preserve
retain | measure gauge quantify | navigate go open browse visit | offer provide supply | outline
sketch draft | own possess have | prepare ready | print output | predict forecast | promote
advance | prompt ask | realize notice | recall remember | redirect forward reroute | rely depend |
remain stay | render draw paint | rent lease hire | repeat redo | rescue save | resize scale |
rotate turn | sort order rank | suspend pause | switch toggle change | teach educate instruct |
throw raise | trace track | treat cure | understand comprehend | vanish disappear | visualize plot
| wait await | wash clean | click press tap push | hover point | scroll swipe | drag move | type
write enter | download save | login log | access open reach | import load | export save | parse
read | quit exit close leave | ability capability skill | advertisement ad advert | agreement
contract | area region zone | artist musician | baby infant | back rear | bathroom restroom toilet
| bike bicycle | border edge | bus coach | candidate applicant | career job | cash money | center
centre middle | chance opportunity possibility | choice option alternative | cinema theater
theatre | clinic hospital | clothes clothing apparel | coast shore | colleague coworker teammate |
color colour | country nation | crew team | cure treatment therapy | deadline due | delivery
shipment | dinner supper | disk drive | display screen monitor | engineer developer programmer
coder dev | equipment gear | evidence proof | exam test quiz | expert specialist | factory plant |
father dad | mother mom mum | fuel gas petrol | garden yard | gender sex | goods merchandise
product | grade score mark | husband spouse | wife spouse | impact effect influence | industry
sector | injury wound | instance copy | jacket coat | lecture talk | lift elevator | luggage
baggage | marriage wedding | math maths mathematics | mistake error | motor engine | opinion view
| package parcel | part component piece | passenger traveler | path route | person people folk
human | percentage percent | prison jail | prize award | pupil student | queue line | rail train |
reason cause why | result outcome finding | rock stone | rubbish trash garbage | safe secure |
schedule timetable agenda | security safety | ship boat vessel | soccer football | speed velocity
| strategy plan | subway metro underground | supplier vendor provider | surgery operation | survey
poll questionnaire | taxi cab | teacher instructor tutor | tip hint suggestion | topic subject
theme | truck lorry | warranty guarantee | world earth globe | zone region | awful bad terrible
poor | beautiful pretty | brief short concise | broad wide | calm relaxed | certain sure | clever
smart intelligent | complex complicated | difficult hard tough | unique distinct | easy simple
straightforward | exact precise | glad happy pleased | helpful useful handy | identical same |
immediate instant instantly | lengthy long | modern new | normal regular standard usual default |
odd strange weird | quiet silent | rare uncommon | real actual genuine | rich wealthy | secret
confidential | suitable appropriate fitting | tasty delicious | typical usual | young youthful |
abroad overseas international | vegetarian meatless | often frequently | maybe perhaps | quickly
fast promptly | almost nearly | soon shortly | merge combine consolidate unify | rollout
deployment | incident outage | endpoint route | request query | exception throw | flaky unstable
intermittent | regression bug | cleanup housekeeping | refactor restructure reorganize rewrite |
deprecate retire sunset | bypass circumvent skip | hardcode hardcoded | sanitize escape | throttle
ratelimit | cache memoize | timestamp time date | filename file | hostname host | docs readme |
container docker | cluster kubernetes | ticket issue story | milestone deadline target | sprint
iteration | standup meeting | repo project | snippet fragment excerpt | wiki docs | invite
invitation | attendee participant invitee | venue place | transcript recording | folder album
collection | playlist mix | subscription membership plan | order purchase | basket cart | checkout
payment pay | shipping delivery postage | stock inventory | coupon voucher | rating review |
balance funds | transaction transfer payment | loan credit | receipt invoice | seat place | ticket
fare | flight plane | cabin class | layover stopover connection | postpone delay defer reschedule
push | reschedule move | hurry rush | mute silence hush | rotate renew regenerate cycle | compile
build bundle | dedupe deduplicate | escalate raise | delegate assign allocate hand | approve
authorize accept sign | halt quit cease terminate | hold suspend halt | synchronize mirror |
recover restore retrieve | recover recuperate | append attach | embed include insert | divide
separate break | concatenate join chain | shrink minify compress zip | extend expand unfold widen
| cut trim crop | call name title entitle dub | mark star favorite | bookmark save | conceal mask
hide obscure | expose reveal disclose leak | enlarge zoom magnify | rate score grade rank | guess
estimate | design plan sketch | rephrase reword paraphrase rewrite | proofread edit review | cite
quote | transcribe type | capture grab snap screenshot | record log register capture | scan read |
practise practice rehearse | illustrate explain elaborate | contrast compare | audit inspect |
probe examine investigate | troubleshoot diagnose debug | profile benchmark measure | simulate
emulate | mock stub fake | route direct send | bind attach connect | settle pay | lend loan |
distribute share spread circulate | depart exit | greet welcome | thank appreciate | complain
grumble | praise compliment | caution warn | inquire ask query question | chat talk converse
discuss | debate discuss argue | want wish desire like | hope wish | worry fear concern | adore
love | cook prepare make bake | dine eat | stroll walk hike | jog run | cycle bike ride | tour
visit travel | deliver bring carry take | raise lift hoist | drop fall decline sink | rise climb
grow increase | double duplicate | mend fix repair | demolish destroy wreck | arrange organize
tidy order | toss throw discard dump | waste squander | earn make gain | defeat beat | defend
protect guard shield | steal rob | breach compromise hack | recruit hire | resign quit | wed marry
| perish die | examine check | observe see notice watch | glance look | gaze look stare | shout
yell scream | whisper murmur | grab seize take | own hold | acquire get obtain gain receive |
accept receive take | lack miss need | avoid prevent evade | forbid prohibit ban disallow | halt
block prevent | urge encourage | assist help aid support | serve provide | adapt adjust modify |
amend change | alter vary | shape form | appear look | occupy fill | surround enclose | cover
include | affect influence impact | cause trigger | result follow | depend rely | belong own |
involve include | consist contain comprise | represent show depict | indicate show signal | imply
mean suggest | denote mean signify | confirm acknowledge | deny refuse | refuse decline reject |
withdraw retract remove | drain empty | spill leak | fasten attach fix | loosen release free |
wrap pack | unpack open | gather collect assemble | assemble build construct | dismantle
disassemble | accumulate collect | hand give pass | pass transfer | toggle flip | trigger fire |
emit send raise | poll check | ping contact notify | tail follow | dump export | seed populate
fill | hydrate load | spin start | bootstrap initialize setup | init initialize | instantiate
create | invoke call | cast convert | coerce convert | parse interpret | tokenize split | lint
check | format prettify | minify shrink | obfuscate hide | hash digest | sign certify | verify
authenticate | trust rely | audit log | provision create setup | allot allocate | reclaim free |
evict remove | prune trim clean | vacuum clean | archive compress | index catalog | crawl scrape
spider | rank sort | filter narrow | paginate page | aggregate combine group sum | interpolate
fill | extrapolate project predict | round truncate | normalize standardize | sample pick |
shuffle randomize mix | document file | file attachment document | doc page | memo note | sheet
spreadsheet workbook | slide presentation deck | deck slides | form survey questionnaire | thread
conversation chat | channel room | message text | message post | dm message | post tweet | feed
stream timeline | clip video | video movie | audio sound | voice speech | band group | singer
vocalist artist | lyrics words | novel book | chapter section part | paragraph passage | phrase
expression | meaning definition sense | homework assignment | school academy | lecture class
lesson | sale deal offer bargain discount | parcel shipment | tax duty | expense cost spending
expenditure | revenue income sales turnover earnings | profit earnings | debt loan | money
currency funds | crypto cryptocurrency | climate weather | rain rainfall precipitation | storm
tempest | direction way route | station stop terminal | cabin room | suite room | passport id |
coast seaside beach | mountain peak summit | hill mountain | gallery museum | cafe coffee | bar
pub tavern | breakfast brunch | lunch meal | snack bite | gym fitness | pharmacy drugstore |
pharmacy chemist apothecary | symptom sign | vaccine shot jab vaccination | sleep rest | dog puppy
| cat kitten | friend buddy pal mate | neighbor neighbour | party celebration | game match |
tournament competition contest championship | race contest | headline title | news bulletin |
election vote ballot | vote poll | law legislation statute act | crime offense | police cop | army
military forces | population inhabitants people residents | resident inhabitant citizen | capital
headquarters | border frontier | lake pond | forest woods woodland | farm ranch | field meadow |
soil ground dirt | stone pebble | metal steel | timber wood | cloth fabric textile | shoe footwear
sneaker | trousers pants | shirt top | sofa couch | fridge refrigerator | stove oven cooker | cup
mug | lamp light | carpet rug | tap faucet | bin trash | cellar basement | attic loft | balcony
terrace patio | autumn fall | noon midday | midnight night | dawn sunrise | dusk sunset | century
hundred | decade ten | era age period | moment instant | duration length period | interval period
gap | frequency rate | pace speed | amount quantity sum | quantity volume | share portion part
fraction | majority most | batch group lot | bundle pack package set | series sequence | chain
sequence | row line | grid table matrix | corner angle | surface area | border margin | edge side
| top summit peak | base bottom foundation | core center heart | shell cover | layer level tier |
level grade tier stage | kind sort | sample specimen | pattern template | model version | variant
version variation | edition version | copy replica clone | original source | draft version |
fragment piece | item thing object | object entity | attribute property trait characteristic |
trait feature | quality standard | defect flaw fault | flaw weakness vulnerability | vulnerability
hole exploit | threat danger risk | incident accident event | event occurrence happening |
occasion event | situation case scenario | condition state status | requirement condition
prerequisite | constraint restriction limitation | exception exemption | criterion criteria
standard | norm standard | principle rule | habit routine | tradition custom | belief view | idea
concept thought notion | proposal suggestion offer | hypothesis theory | theory idea | argument
reason | proof evidence | clue hint | sign signal | symbol sign icon | badge icon emblem | logo
emblem brand | brand make label | slogan motto | campaign initiative | project initiative program
| program scheme plan | mission goal task | vision goal | objective target | success achievement |
failure fault | victory win triumph | loss defeat | battle fight combat | conflict dispute |
dispute argument | deal agreement | treaty agreement | promise pledge commitment | duty
responsibility obligation | role position job | position post role | position location place |
rank position level | chief head leader boss | leader head lead | executive manager director |
secretary assistant clerk | assistant helper aide | agent representative | representative delegate
| delegate deputy | citizen national | adult grownup | teenager teen adolescent youth | senior
elder | couple pair | twin double | crowd mass | audience viewers spectators | viewer spectator |
visitor tourist | tourist traveler | pilot aviator | sailor seaman | soldier trooper | judge
magistrate | thief burglar robber | tall high | wide broad | tiny small minute | enormous huge
massive giant | slim thin slender | fat thick | chilly cold cool | hot spicy | warm hot | moist
wet damp humid | arid dry | ancient old historic | risky dangerous unsafe hazardous | occupied
busy | vacant free empty available | famous known popular renowned celebrated | lovely cute
beautiful | dumb stupid | amusing funny humorous | grave serious severe | severe critical serious
| mad angry | angry furious | exhausted tired weary | fit healthy | mighty strong powerful |
feeble weak | nice kind friendly | impolite rude | noisy loud | filthy dirty | vegan plantbased |
ordinary normal common | extra additional more further | additional another more other | spare
extra | surplus excess | ample enough sufficient | adequate sufficient | lacking missing | missing
absent lost | broken damaged defective faulty | stuck frozen hung | stale outdated old | invalid
wrong | legitimate valid legal | lawful legal | unlawful illegal | authentic genuine real | fake
false bogus | artificial synthetic | natural organic | raw uncooked | pure clean | mixed blended |
joint shared common | mutual shared | individual single separate | sole only single | entire total
| partial incomplete | final ultimate last | initial first original | prior previous earlier |
upcoming next future coming forthcoming | ongoing current running active | pending waiting open |
pending outstanding unresolved | unpaid outstanding due overdue | overdue late | delayed late |
punctual timely | constant steady continuous | continuous ongoing | periodic regular recurring |
recurring repeating repeated | sudden abrupt | gradual slow | brief short | lasting permanent |
momentary temporary | vital essential crucial critical | crucial key | core main | chief main |
minor small slight | major large big | slight small | significant important major | notable
remarkable | obvious clear evident apparent | clear plain | vague unclear | hidden secret |
visible shown displayed | bright vivid | pale light | dim dark | blurry unclear | sharp clear |
blunt dull | smooth even flat | flat level | rough uneven coarse | steep sharp | straight direct |
direct immediate | remote distant far | nearby local | adjacent neighboring next | inner internal
| outer external | upper top | lower bottom | rear back | foreign overseas | domestic local
national | native local | global worldwide international | universal general | general common |
specific concrete | detailed thorough comprehensive | thorough complete full | basic simple
fundamental | elementary basic | advanced sophisticated | novel new | creative inventive | logical
rational | reasonable sensible | affordable reasonable | eager keen | willing ready | able capable
| unable incapable | likely probable | unlikely improbable | certain definite | doubtful uncertain
| aware conscious | familiar known | unfamiliar unknown | euro eur | dollar usd | pound gbp | yen
jpy | worth value price | value amount | approximately about around roughly | roughly about |
exactly precisely | merely only just | entirely completely fully totally | partly partially |
mostly mainly mostly | especially particularly | usually normally typically generally | sometimes
occasionally | rarely seldom | always constantly | currently presently now today | nowadays now |
formerly previously | previously before earlier | recently lately newly | afterwards after later
then | simultaneously together | together jointly | separately apart | again anew | also too |
however but | therefore thus hence | except besides | despite although though | per every each |
via through using with | using with | regarding about | concerning about regarding | versus
against | within inside in | beneath under below | atop on | beside near by | amid among | toward
to | until till | since from | during while
"""

# The words on one side may stand for each other, and say the opposite of the other side.
ANTONYMS = """
enable activate on allow permit > disable deactivate off | start begin launch boot > stop halt end
kill shut | open reopen > close shut | before prior earlier > after following later since | allow
permit grant authorize > deny forbid block disallow prohibit revoke refuse | accept approve
confirm > reject decline deny refuse | create add make insert introduce support > delete remove
drop erase destroy | increase raise grow up > decrease lower reduce shrink cut down | maximum most
highest largest upper biggest longest > minimum least lowest smallest lower shortest | over above
more greater exceed > under below fewer less | top best upper > bottom worst lower | first initial
earliest > last final latest | ascending > descending | success succeed pass work > fail break
failure unsuccessful broken | fast quick rapid > slow sluggish | cheap inexpensive affordable >
expensive costly pricey | big large huge > small little tiny | new newest latest recent > old
oldest outdated legacy | lock > unlock | login signin > logout signout | subscribe register signup
enroll join > unsubscribe unregister leave | encrypt > decrypt | encode serialize > decode
deserialize | compress zip > decompress unzip | import ingest load > export dump | upload push
send > download pull receive | install > uninstall | connect attach > disconnect detach | public >
private | internal inside indoor inner > external outside outdoor outer | input incoming inbound >
output outgoing outbound | read > write | local > global remote | online up available > offline
down unavailable | active enabled > inactive disabled | visible show reveal > hidden hide conceal
| synchronous > asynchronous | horizontal > vertical | left > right | north northern > south
southern | east eastern > west western | day > night | morning > evening | hot warm > cold cool |
light bright > dark | win > lose | buy purchase > sell | arrive arrival > depart departure | merge
combine join > split separate | include > exclude omit except | optional > mandatory required |
valid > invalid | same equal > different | positive > negative | child minor kid > adult | male
man > female woman | full > empty | always > never | primary main > secondary | source origin >
destination target | increment > decrement | expand > collapse | forward > backward | debit >
credit | apply > revert undo rollback | submit confirm > cancel | assign > unassign | mute >
unmute | legal > illegal | safe > dangerous | like love enjoy > hate dislike | remain remaining >
used | strict > lenient | even > odd | future upcoming next > past previous | cause > effect |
buyer > seller | sender > receiver recipient | better good > worse bad | strong > weak | thick >
thin | wide > narrow | deep > shallow | long > short brief | high > low | heavy > light | early >
late | easy simple > hard difficult complex | rich > poor | clean > dirty | happy glad > sad
unhappy | wet > dry | loud > quiet silent | young > old | tall > short | soft > hard | near close
> far distant | front > back rear | husband > wife | mother > father | brother > sister | son >
daughter | boy > girl | profit gain > loss | gain > lose | hire employ > fire dismiss | borrow >
lend | plus add > minus subtract | multiply > divide | upstream > downstream | uppercase >
lowercase | foreground > background | client > server | frontend > backend | request > response |
allowlist whitelist > denylist blacklist blocklist | ingress > egress | commit > rollback |
staging > production | development > production | follow > unfollow | pin > unpin | archive >
unarchive restore | mount > unmount | freeze > unfreeze thaw | wake > sleep | pause suspend >
resume continue | keep retain preserve > delete remove discard drop | secure > insecure | weekday
> weekend | earn > spend | entrance > exit | tenant > landlord | employer > employee | agree >
disagree | appear > disappear vanish | load > unload | pack > unpack | virtual > physical | manual
> automatic automated | static > dynamic | permanent > temporary | absolute > relative | mutable >
immutable | sequential serial > parallel | eager > lazy | inclusive > exclusive | single >
multiple | domestic > international | urban > rural | summer > winter | sunrise > sunset | am > pm
| healthy > unhealthy sick | parent > child | leader > follower | master > slave replica | asleep
> awake | alive > dead | attack > defend | reward > punish | accelerate > slow | present > absent
| known > unknown | common > rare | gain > loss | guest > host | plural > singular | odd > even |
ask > answer | question > answer | majority > minority | theory > practice | supply > demand | war
> peace | cheapest lowest > priciest highest | fastest > slowest | newest > oldest | best > worst
| nearest closest > farthest | biggest largest > smallest | hottest > coldest | more > less fewer
| widen > narrow | lengthen > shorten | strengthen > weaken | tighten > loosen | speed > slow |
heat > cool | warm > chill | fill > drain | lend > borrow | teach > learn | ascend > descend |
advance > retreat retract | praise > criticize | attach > detach | assemble > dismantle
disassemble | construct > demolish | fasten > unfasten loosen | wrap > unwrap | fold > unfold |
tie > untie | mount > dismount | grant > revoke | award > withdraw | promote > demote | upgrade >
downgrade | upvote > downvote | like > dislike | trust > distrust | obey > disobey | opt > skip |
save > discard | record > erase | remember recall > forget | find > lose | succeed > fail | pass >
fail | live > die | laugh > cry | rise climb > fall drop decline | float > sink | push > pull |
give > take receive | sending > receiving | speak > listen | shout > whisper | mute silence >
unmute | tall > short small | wide broad > narrow | tight > loose | full > vacant | occupied busy
> free vacant available | private secret confidential > public | known > anonymous | famous >
obscure | brave > cowardly | generous > greedy | polite > rude impolite | humble > proud | patient
> impatient | lucky > unlucky | calm > nervous anxious | awake > sleeping | guilty > innocent |
raw > cooked | ripe > unripe | fresh > stale | sweet > bitter sour | smooth > rough | sharp >
blunt | straight > curved crooked | steep > flat | shiny > dull | transparent > opaque | solid >
liquid | natural > artificial synthetic | real genuine authentic > fake false | true > false |
legal lawful > illegal unlawful | paid > unpaid | resolved solved closed > unresolved open pending
| read > unread | seen > unseen | used > unused | signed > unsigned | verified > unverified |
stable > unstable | complete whole > incomplete partial | final > draft | formal > informal |
official > unofficial | direct > indirect | regular > irregular | general > specific | simple
basic > complex advanced | beginner novice > expert | amateur > professional | major > minor |
essential > optional | certain > uncertain | likely > unlikely | possible > impossible |
frequently often > rarely seldom | everywhere > nowhere | all > none | everyone > nobody | both >
neither | with > without | inside > outside | above > below beneath | ahead > behind | onto > off
| into > out | north > south | dawn > dusk | noon > midnight | spring > autumn fall | land > sea |
floor > ceiling | roof > basement cellar | king > queen | uncle > aunt | nephew > niece | dad >
mom | groom > bride | host > guest | winner > loser | hero > villain | friend > enemy foe | ally >
enemy | buyer customer > seller vendor | lender > borrower | landlord > renter | doctor > patient
| speaker > listener | author > reader | plaintiff > defendant | home > away | asset > liability |
import > export | revenue income > expense cost | surplus > deficit shortage | gross > net |
wholesale > retail | peak > trough | head > tail | header > footer | prefix > suffix | numerator >
denominator | row > column | width > height | latitude > longitude | major > patch | breakfast >
dinner
"""

# Short forms that no rule of letters finds.
SHORT = """
g gram | mg milligram | l liter | cm centimeter | mm millimeter | ft foot | lb pound | oz ounce |
env environment | var variable | cfg configuration | conf configuration | config configuration |
db database | repo repository | dir directory | auth authentication | doc document | docs document
| prod production | dev development | pg postgres | postgresql postgres | k8s kubernetes | js
javascript | ts typescript | py python | golang go | ns namespace | tz timezone | id identifier |
qty quantity | asc ascending | desc descending | perm permission | async asynchronous | sync
synchronous | min minimum | max maximum | avg average | num number | vs versus | dep dependency |
mac macos | acct account | addr address | sec second | hr hour | wk week | yr year | temp
temporary | ref reference | pic picture | biz business | dept department | govt government | univ
university | tech technology | lang language | func function | fn function | param parameter | arg
argument | attr attribute | img image | btn button | app application | info information | admin
administrator | org organization | spec specification | mon monday | tue tuesday | wed wednesday |
thu thursday | fri friday | sat saturday | sun sunday | jan january | feb february | mar march |
apr april | jun june | jul july | aug august | sept september | oct october | nov november | dec
december | s second | h hour | feat feature | kb kilobyte | mb megabyte | gb gigabyte | usa us |
ms millisecond | eur euro | usd dollar | gbp pound | prio priority | msg message | pwd password |
mgr manager | prev previous | cur current | idx index | len length | tmp temporary | src source |
dst destination | dest destination | srv server | svc service | cmd command | amt amount | tel
phone | pkg package | lib library | yt youtube | gh github | hq headquarters | intl international
| ave avenue | st street | rd road | blvd boulevard | bldg building | mins minute | secs second |
hrs hour | yrs year | wks week | kg kilogram | km kilometer | vol volume | tb terabyte | daily day
| weekly week | monthly month | yearly year | hourly hour | nightly night | annual year | freq
frequency | qa testing | ops operations | prs pr | mgmt management
"""

# Several words that are one.
PHRASES = """
this year=this_ year | this month=this_ month | this week=this_ week | this weekend=this_ weekend
| this quarter=this_ quarter | this morning=this_ morning | this afternoon=this_ afternoon | this
evening=this_ evening | this night=this_ night | this season=this_ season | this summer=this_
summer | this winter=this_ winter | this spring=this_ spring | this autumn=this_ autumn | older
than=over | longer than=over | larger than=over | bigger than=over | higher than=over | taller
than=over | heavier than=over | newer than=under | younger than=under | shorter than=under |
smaller than=under | lower than=under | lighter than=under | later than=after | earlier
than=before | turn on=enable | switch on=enable | turn off=disable | switch off=disable | set
up=setup | look up=lookup | look for=find | search for=find | log in=login | sign in=login | log
on=login | log out=logout | sign up=signup | sign out=logout | shut down=stop | get rid of=delete
| more than=over | greater than=over | less than=under | fewer than=under | at least=minimum | at
most=maximum | prior to=before | number of=count | how many=count | how much=count | send
back=return | roll back=revert | back up=backup | clean up=cleanup | check out=checkout | would
like=want | right now=now | up to=to | close to=near | due to=because | unable to=can not | have
to=must | each of=each | as of=since | out of=from | such as=like | e mail=email | wi fi=wifi |
put off=postpone | push back=postpone | put back=return | switch over=switch | take out=remove |
take away=remove | throw away=discard | throw out=discard | give back=return | hand over=give |
find out=find | figure out=find | point out=mention | carry out=perform | work out=calculate |
bring up=mention | bring back=restore | get back=return | go over=review | go through=review |
look at=view | look into=investigate | look through=browse | fill out=fill | fill in=fill | fill
up=fill | write down=record | note down=record | hold off=wait | call off=cancel | close
down=close | break down=break | take off=remove | put on=add | speed up=accelerate | slow
down=slow | cut down=reduce | scale up=increase | scale down=decrease | ramp up=increase | turn
up=increase | turn down=decrease | roll out=deploy | spin up=start | tear down=destroy | boot
up=start | start up=start | power on=enable | power off=disable | switch over=change | sign
off=approve | drop off=deliver | pick up=collect | pick out=select | sort out=fix | send out=send
| instead of=not | rather than=not | other than=except | apart from=except | because of=because |
thanks to=because | next to=near | per cent=percent | no longer=not | lots of=many | plenty
of=many | couple of=two | amount of=quantity | right away=immediately
"""

IRREGULAR = """
ran run | written write | wrote write | made make | found find | got get | sent send | built build
| broke break | broken break | bought buy | sold sell | children child | people person | men man |
women woman | mice mouse | indices index | met meet | paid pay | went go | gone go | shown show |
lost lose | held hold | kept keep | took take | taken take | chose choose | chosen choose | began
begin | begun begin | hid hide | hidden hide | said say | told tell | gave give | given give | saw
see | seen see | thought think | used use | using use | came come | knew know | known know |
brought bring | caught catch | dealt deal | drew draw | drawn draw | drank drink | drove drive |
driven drive | ate eat | eaten eat | fell fall | fallen fall | felt feel | fought fight | flew fly
| flown fly | forgot forget | forgotten forget | froze freeze | frozen freeze | grew grow | grown
grow | heard hear | led lead | lent lend | meant mean | rode ride | ridden ride | rose rise |
risen rise | sang sing | sat sit | slept sleep | spoke speak | spoken speak | spent spend | stood
stand | stole steal | stolen steal | swam swim | taught teach | threw throw | thrown throw |
understood understand | woke wake | wore wear | worn wear | won win | withdrew withdraw | feet
foot | teeth tooth | knives knife | analyses analysis | criteria criterion | matrices matrix |
vertices vertex | overridden override | overrode override | rewritten rewrite | rebuilt rebuild |
resent resend | undone undo | redone redo | lying lie
"""
