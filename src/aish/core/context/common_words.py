"""English words that are one token in every vocabulary; made by bench/context/kinds.py."""

from __future__ import annotations

COMMON_WORDS = frozenset(
    """
ab ability able about above abs abstract ac acc accept access according account accur achie
across act action actions activ active activities activity actual actually ad add added adding
addition additional address adjust admin administration adult adv advert af aff affect after ag
again against age agency agent ago agree agreed agreement ahead aim air al album alert align all
alleg alloc allow allowed allows almost alone along alpha already also alt altern although
always am amazing amb among amount an anal analy analysis and android ang angle anim ann
announced another ans answer ant anti any anyone anything ap api app appe appear appears append
applic applicable application applications applied apply appro approach appropri appropriate ar
arch are area areas aren arg args argument arguments arm around arr array arrest art article as
ask asked ass assert assess asset assist associ associated async at att attack attacks attempt
attention attr attract attribute attributes au aud audio auf aut auth author auto autom av
available average avoid aw await aware away ax axis baby back background bad bag balance ball
ban band bank bar bas base based basic basis batch bath batter battle be beat beautiful became
because become becomes bed been before beg began begin beginning beh behavior behind being bel
belie believe belong below ben benef benefit benefits bes best bet better between bey beyond bg
bi big biggest bill billion binary birth bit bl black block blog blood blue bo board body bon
book books bool boolean boost border born both bottom bound box boy br brain branch brand bre
break bring bro broad brought browser btn bu budget buf buffer build builder building built bul
bur burn bus business but button buy by byte bytes ca cache cal calcul call callback called
calling calls cam came camera camp campaign can cancel cancer candid candidate cannot cap
capacity capital capt car card cards care career carry cars cart cas case cases cash cast cat
catch category cause caused ce cele celebr cell cells cent center central century cert certain
certainly ch chain challenge chance chang change changed changes channel char character
characters charge chat che check chem child children cho choice choose church cin circ cit city
civil cl claim claims class classes clean clear clearly click client clients clin clo clock
close closed club cmd co coach code col cold coll collect collection college color colors column
columns com comb come comes comfort coming comm command comment comments commercial commit
common communic community como comp compan companies company compar compared compet compl comple
complet complete completed completely complex compliance component components comput computer
con conc concept concern condition conditions conduct conf config configuration confirm conn
connect connected connection cons consider considered consist console const constant construct
construction constructor consult consum cont contact contain container containing contains
content contents context contin continue continued contr contract control controller conv
convers convert cook cookies cool cop copy copyright cor core corner corpor correct correspond
cos cost costs cou could couldn count counter countries country couple cour course court cout
cover cr cre create created creating cred credit criminal crit critical cross crow crush ctx cu
cult culture cur current currently cursor custom customer customers cut cv da daily dam damage
dan danger dans dark das dat data database date datetime dating day days db de dead deal death
deb debug dec decided decision decl deep def default defense define defined definitely
definition deg degree del delay delete deliver dem demand demon demonstr den dep department
depend depth der des desc describe described description design designed despite dest
destination destroy det detail details deter determin determine dev develop developed
development device devices df di dialog dict did didn die died dies dif diff differ difference
different difficult dig digital dim dir direct direction directly director directory dis
disabled disc discover discuss dise disease dispatch display dist distance distributed
distribution district div django do doc document documents does doesn dog doing doll dom domain
don done door dos doub double down download dr draw dream dress drink drive driver dro drop drug
dry dt du due duration during dynamic each ear earlier early earn eas easier easily easy eat
echo econ economic economy ed edge edit editor educ education een eff effect effective effects
effort efforts eg eight ein either el elect election electric element elements elif else em
email emb emp employ employee employees empty en enable enabled enc end enemy energ energy eng
engine enjoy enough ens ensure ent enter entire entity entre entry enum env environment ep
episode eq equ equal equipment er err error errors es esc escort especially ess essay essential
est establish et etc eth ev eval even event events ever every everyone everything evidence ex
exact exactly exam example exc excell excellent except exception exchange exec execute exerc
exist existing exists exit exp expand expect expected exper experi experience experiment expert
expl explo export express expression ext extends extension external extra extract extrem
extremely ey eye eyes fa fac face fact factor factors factory fail failed failure fair fall
false fam families family fan fans fant far farm fast fat father fav favor favorite fe fear
feature features federal feed feel feeling feet felt fem female fetch few fi field fields fig
fight figure fil file filename files fill film filter fin final finally financial find finding
fine finish finished fire firm first fish fit five fix fixed fl flag flags flash flex float
floor flow fmt fn foc focus folder follow followed following font food foot football for force
forces fore foreach foreign form format former forms forward found four fr fra frag frame fre
free frequ fresh fri friend friends from front fs fuck ful full fully fun func function
functions fund further future gain gam game games gar gas gave gay ge gen gener general
generally generate generated get gets getting gift girl girls give given gives giving gl glass
global go goal goals goes going gold gone good got goto gover govern government gr grad grand
graph grat gre great greater green grid ground group groups grow growing growth gu guar guard
guess guest guide gun guy guys ha hab had hair half hand handle handler hands happ happen
happened happens happy har hard has hash hat have haven having he head header headers health
healthy hear heard heart heat heavy height held hello help helped helps her here het hidden high
higher highest highly him himself his histor history hit hold hom home hon hop hope hor hospital
host hot hour hours house how however href html http https huge hum human hundred hus hy icon id
ide idea ideas ident idx if ign il ill im imag image images img imm immediately imp impact
implement implementation implements implied import important impro improve in inc include
included includes including income incre increase increased increasing ind inde independ index
indic indiv individual individuals indu industry inf influ info inform information ing init
initial inj inline inn inner input ins insert inside inst install instance instanceof instead
instruction insurance int integer integr intent inter interest interested interesting interface
intern internal international internet interview into introdu inv invalid invest investig
investigation investment invol involved io ip ir is isn iss issue issues ist it item items iter
its itself jav java javax je jo job jobs join journal js json jud jump just justify ke keep kept
key keys kids kill killed kind kn knew know knowledge known knows la label labels labor lack
land lang language larg large larger largest las last lat late later latest launch law laws
layer layout le lead leader leaders leading learn learning least leave leaving led left leg
legal len length les less let letter level levels li lib library license life light lik like
likely lim limit limited line lines link links list listen liter little live lives living ll lo
load loaded loading loc local located location lock log logger logging login long longer look
looked looking looks loop los lose loss lost lot love low lower ma mac mach machine made mag
magn mail main maint major majority make makes making mal male man managed management manager
manufact many map mar margin mark market marketing mas mask mass massage master mat match
matches material materials math matrix matter max maximum may maybe me mean meaning means meant
meas measure mechan med media medic medical meet meeting mem member members memory men mention
menu mer message messages met meta metal method methods micro mid middle might mil miles milit
military mill million min mind minimum minor minute minutes mir mis miss missing mission mist
mit mix mo mobile mock mod mode model models modern modify module mom moment mon money monitor
month months mor more morning most mot mother motor mount mouse mov move moved movement movie
moving msg much mult multi multiple mur mus music must mut my myself na name named names
namespace nation national natural nature nav ne near nearly necess necessary need needed needs
neg negative net network never new news next ng nice nicht night nil no node nodes non none nor
norm normal not note notes nothing notice nov now np null num number numbers numer numpy ob obj
object objects obs observ obt obtain obvious occ occas of off offer offered offers offic office
official officials offset often og oil ok ol old older om on once one ones online only onto op
open opened opening oper operation operations operator opin opp opportunity oppos opt optim
option options or ord order org organ organization orig origin original os other others
otherwise ou our out output outside over overall override own owner owners pa pack package
padding page pages paid pain paint pair pan panel paper par para param parameter parameters
params parent parents park parse parser part partial partic particip particular particularly
partner partners parts party pas pass passed password past pat path patient patients pattern pay
payload payment pd pe peace pen people per percent perfect perform performance perhaps period
permission permissions pers person personal pet ph phone phot photo photos phys physical pi pick
picture pictures pie piece pin pl place placed placeholder places plan planning plans plant
platform play played player players playing ple please plot plt plugin plus pm po pod point
pointer points pol polic police policy polit political poll pool poor pop popular population por
porn port pos position positive poss possible post posted posts pot potential pour pow power
powerful pr practice pre prec pred predict prefix prem pres presence present president press
pressure pret pretty prev prevent previous previously price prices prim primary princip print
printf prior prison priv private pro prob probably proble problem problems proced process
processing produ produce produced product production products prof profession professional
profile program programs progress project projects prom prop proper properties property props
pros prot prote protect protected protection protest prov provide provided provider provides
providing ps psych pub public publish published pul pull pun pur purch purchase purpose push put
py qu qual quality quarter que query quest question questions queue qui quick quickly quite rac
race rad radio raise raised random range rank rap rare rate rates rather raw re reach reached
read reader reading readonly ready real reality really reason reasons rec rece receive received
recent recently recogn recomm recommend record records rect red redirect redu reduce ref refer
reference reflect reg regard regarding region register regular reject rel related relations
relationship relative release released reli relig rem remain remains remember remote remove
removed ren render rent rep repe repl replace report reported reports represent req requ request
requests require required requirements requires res research reserved reset resolve resource
resources resp respect respond respons response responsible rest restrict result results ret
return returned returns rev reve review reviews rich rid right rights risk ro road rock role
roll room root rot round rout route router row rows rule rules run running runs sa saf safe
safety said sal sale sales same sample san sand sat satisf save saved saw say saying says sb sc
scale scan scen scene sch school schools science scope score scr scre screen script scroll se
search season sec second seconds secret section security see seeing seek seem seemed seems seen
seg select selected selection selector self sell sem sen send sender sens sense sent separ
separate sequence ser serial series serious serv serve server service services session set sets
sett setting settings setup seven sever several sex sexual sh shall shape share shared she shift
ship shoot shop short shot should show showed showing shown shows shut si sich side sig sign
signal signed signific significant sil sim similar simple simply sin since sing single sit site
sites situation six size sizeof sk skills skin sl sleep slight slow sm small smaller smart sn so
social society socket soft software sol sold solid solution som some someone something sometimes
son song soon sort sou sound source sources sp space span spe speak spec special specific
specified speech speed spend spent spirit split spot spread sql squ square src st stack staff
stage stand standard star start started starting starts stat state statement states static
station status stay std ste step steps stick still stock stop storage store stories story str
straight strateg strategy stre stream street strength stress strict string strings strong struct
structure stud student students studies study stuff style styles su sub subject submit subs
success successful successfully such suff suffer suggest suit sum summer sun sup super supply
support supported sur sure surface surround sus susp sw switch sy sym symbol syn sys system
systems tab table tag take taken takes taking tal talk talking target task tasks tax te teach
team teams techn technology teen tele tell tem temp temper temperature template ten tend ter
term terms terror test testing tests text tf th than thanks that the their them theme themselves
then there therefore these they thing things think thinking third this those though thought
thousands thr thread threat three through throughout throw throws thus ti tick tim time timer
times tit title tmp to today together token told ton too took tool tools top topic tor torch tot
total touch tour toward towards town tr track trade traditional traff trail train training trans
transaction transfer transform transition transport travel tre treat treatment tree trend tri
trial tried trigger trip tro true trust truth try trying turn turned tw two txt typ type typeof
types ui uint ul ult um un una und undefined under understand understanding une unique unit
units unless uns unsigned until up update updated updates upload upon upper ur url us use used
useful user username users uses using usually ut util vac val valid value values van var vari
variable variables variety various ve vec vector vehicle vel ver vers version vert very vi via
vict video videos view views vill viol violence vir virtual vis visit visual vo voice void vol
volume von vot vote vous vs wait waiting walk wall want wanted wants war warm warn warrant
warranty was wasn watch water way ways we weak weather web website week weekend weeks weight
well went wer were wh what whatever when where whether which while white who whole whom whose
why wide widget width wife wild will win window wire wish with within without woman women won
wonder wood wor word words work worked workers working works world worth would wouldn wr writ
write writer writing written wrong wrote www wx xml year years yet yield you young your yourself
zero zu
""".split()  # noqa: SIM905 - a list of strings would be 2,600 lines
)
