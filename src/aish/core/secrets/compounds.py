"""What the manuals of programs say after the name of a secret: `password attempts`, `key exchange`."""

from functools import cache

_WORDS = """
acceptance access across actions activate address after against ageing agent agents aging
agreement algorithm algorithms along already anyway arguments attempt attempts attestations
attestor attestors attribute attributes audience back backend banner basis because becomes before
begins behavior belongs below between beyond binding bindings bits block bound box bucket budget
buffer cache callback callbacks capabilities capability ceremony certificate chain challenges
character characters check checks claims classes client code codes column combinations comes
command commands comments comparison complexity component components configurations configure
consist constraints contain contains contents context controls conversion correspond count counter
counters counts cracking creates creds cryptography cryptosystems custodian custodians database
databases decisions decryption definitions depends derivation describe describes description
descriptions details detection dialog dictionary difference differences directly directory doesn
down elliptic encipherment encryption endpoint endpoints ends engine entries entry equality
equivalent errors escrow even event events every except exchange exchanges exists expiration
expirations expires expiry export expression expressions extension failed fails failures feature
features fetch field fields file filename files fingerprint fingerprints flow form format formats
found functions generates generation generator generic goal grace grant group guard guards handle
handler handling handshake happen hashes hashing header headers held helper helpers hint hints
history holders identifier identity include includes index indicator info infrastructure input
inputs inside instance interface introspection issuance issuer issues iterator itself keyfile
keyid keyring keys larger later layout leak leakage leaks length lengths lets level library
lifetime like limit limits line listings lockout logic long longer lookup management manager
managers map match matches material means mechanism mechanisms menu message messages metadata
method methods middleware mismatch mode module modules more multiple name names objects once
operations order over package page pair pairs parameters part parts path paths payload permissions
phase plugin plugins plus pointer policies policy prefix present press presses print prior
procedures process profile profiles prompt prompts properties protection protocol protocols
provider providers proxy purpose range rather read realm record records recovery reference
references refers refresh remains repeat represents request requests required requirements
requires reset resets resides resource resources respects response responses restrictions result
retries returns reuse revocation revoke ring rings rotation rotations scanner scanning schedule
schema scheme schemes screen script scripts security selector send separator sequence sequences
server servers service services session sessions setup several shall share shares sharing shell
shells short shutdown signature signatures signer since size sizes slot source space spraying
start starts status step storage store stores strategy stream streams strength string strings
struct structure structures stuff stuffing styles subsystem such sufficient suite supplementary
support supports switch symbol sync synchronization system tables tags takes tells template test
tests theft there they through timeout together transport twice type types undelete under until
updates upload urls usage usages users utility validation validity vault verification version
versions volumes whose window within without work works wrap
"""
# What other languages say of a password after their word for "is".
_SAID_ABROAD = """
felaktigt ogiltigt gammalt obligatoriskt tomt svagt starkt sparat lagrat krypterat rätt samma forkert
ugyldig ugyldigt feil obligatorisk påkrevd svakt sterkt lagret kryptert gammelt utløpt riktig
samme udløbet gemt krypteret nødvendig kort ungültig inkorrekt leer fehlt unsicher sicher
schwach stark gespeichert verschlüsselt notwendig gleich identisch alt kurz lang korrekt richtig gesetzt
verloren gesperrt öffentlich bekannt invalide erroné erronée incorrect expirée requis requise
obligatoire vide faible fort trop identique manquant manquante correct valide enregistré chiffré
stocké oubliée changé changée perdu inválida inválido incorrecto obligatoria requerida vacía débil
fuerte demasiado caducada igual segura insegura guardada cifrada necesaria correcta válida perdida
nueva antigua inválidos obrigatória vazia fraca forte expirada segura igual salva guardada criptografada
correta válida nova antiga necessária errato scaduta obbligatoria vuota debole troppo uguale salvata
corretta valida sicura nuova vecchia necessaria cifrata ongeldig onveilig verplicht leeg zwak sterk
hetzelfde opgeslagen versleuteld correct juist oud nieuw nodig geldig väärä virheellinen vanhentunut pakollinen tyhjä
heikko vahva liian sama tallennettu salattu oikea błędne niepoprawne wymagane puste słabe silne zbyt
takie wygasło zapisane zaszyfrowane poprawne prawidłowe neplatné nesprávné špatné povinné prázdné
slabé silné stejné uloženo zašifrováno správné nesprávne zlé rovnaké netačna pogrešna neispravna
obavezna prazna slaba jaka ista istekla ispravna
"""


@cache
def said_after_names() -> frozenset[str]:
    return frozenset((_WORDS + _SAID_ABROAD).split())
