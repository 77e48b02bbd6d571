"""Programs with subcommands, as data: what each of them only reads.

A line is: the program's names, the options before a subcommand that have a value, and the
subcommands that are harmless (`a/b` for a subcommand of one). Everything else is judged by its
verb: deleting words are destructive, reading words harmless, others unknown.
"""

from __future__ import annotations

from aish.core.safety.verdict import EffectKind
from aish.core.values import dataclass


@dataclass(frozen=True, slots=True)
class SubcommandProgram:
    """A program with subcommands."""

    reads: frozenset[str]
    takes: str = ""
    kind: EffectKind = "remote-state"
    dry: str = "--dry-run --dryrun"
    by_verb: bool = True  # unlisted reading verbs are harmless


READING = frozenset(
    (
        "list ls show get describe status info view version help search find logs log tail "
        "history diff inspect print whoami output outputs read cat explain top events validate "
        "verify lint check preview plan graph tree dump stat stats count test fmt-check "
        "config-list current ps images outdated audit doctor env which why home docs completion "
        "completions health ping head check-update changelog metadata scan query lookup members "
        "catalog watch list-all lists summary usage quota locate schema synth synthesize "
        "providers receive filter simulate estimate decode analyze active recommend compare peek "
        "resolve render template versions regions sizes available me about limits proxy-status "
        "proxy-config capabilities manifest digest size du trace benchmark wait presign"
    ).split()
)
DESTROYING = frozenset(
    (
        "delete del remove rm destroy drop purge prune terminate uninstall reset wipe erase clear "
        "clean flush kill stop revoke disable deprovision deregister detach abort cancel "
        "unpublish yank forget rollback undo downgrade truncate down drain cordon evict shutdown "
        "reboot restart poweroff rb rmi rmdir unlink undeploy abandon strip deallocate deactivate "
        "suspend archive unset untag seal force-unlock taint untaint replace overwrite restore "
        "revert nuke teardown drop-all delete-all delete-batch reset-hard leave obliterate expire "
        "vacuum unregister unregistervm undefine schedule-key-deletion autoremove erase autopurge "
        "unmerge zap rename rotate move mv"
    ).split()
)


def _tool(
    reads: str,
    takes: str = "",
    kind: EffectKind = "remote-state",
    *,
    dry: str = "--dry-run --dryrun",
    by_verb: bool = True,
) -> SubcommandProgram:
    return SubcommandProgram(frozenset(reads.split()), takes, kind, dry, by_verb)


_DOCKER = _tool(
    "ps images logs inspect top port version info stats diff history events search pull build start attach wait container/ls container/list container/inspect "
    "container/logs container/top container/stats container/start image/ls image/list image/inspect image/history image/pull image/build volume/ls volume/list "
    "volume/inspect volume/create network/ls network/list network/inspect network/create system/df system/info system/events context/ls context/show "
    "context/inspect context/use compose/ps compose/logs compose/config compose/up compose/build compose/pull compose/images compose/top compose/version compose/ls "
    "compose/start compose/port compose/events buildx/ls buildx/build buildx/inspect buildx/du buildx/bake manifest/inspect load compose/create node/ls node/inspect service/ls "
    "service/ps service/inspect service/logs stack/ls stack/ps stack/services secret/ls config/ls plugin/ls scout/cves scout/quickview machine/list machine/info create commit "
    "tag save login logout pod/ps pod/list  generate/kube inspect/x",
    "-H --host -c --context --config -l --log-level", "service", by_verb=False,
)  # fmt: skip
_KUBE = _tool(
    "get describe logs explain api-resources api-versions cluster-info config/get-contexts config/current-context config/view config/get-clusters config/use-context "
    "config/set-context rollout/status rollout/history auth/can-i auth/whoami version top wait port-forward diff proxy completion options kustomize plugin/list events "
    "projects status whoami project x/x neat tree ctx ns krew/list stern",
    "-n --namespace --context --kubeconfig --cluster --user -s --server -l --selector -o --output -c --container -f --filename --as --request-timeout --token --field-selector",
    by_verb=False,
)  # fmt: skip
_TERRAFORM = _tool(
    "state/pull plan show output validate version providers graph init fmt get state/list state/show workspace/list workspace/show workspace/select console login "
    "test metadata hclfmt validate-inputs graph-dependencies", "-chdir", by_verb=False)  # fmt: skip
_CLOUD = _tool("help version", "--profile --region --output --query --endpoint-url --project --account --format --zone -o -g --resource-group --subscription "
               "--filter --limit -c --config -t --token --org --app -a -n --namespace --stack -s --cwd -C --remote -r --team --scope --context -i --identifier")  # fmt: skip

TOOLS: dict[str, SubcommandProgram] = {
    **dict.fromkeys(["docker", "podman", "nerdctl"], _DOCKER),
    **dict.fromkeys(["docker-compose", "podman-compose"], _tool(
        "ps logs config up build pull images top version ls start port events", "-f --file -p --project-name --profile --env-file", "service", by_verb=False)),
    **dict.fromkeys(["kubectl", "k", "oc", "kubecolor", "microk8s.kubectl"], _KUBE),
    "helm": _tool("list ls status history get template lint search show repo/list repo/add repo/update version env dependency diff pull package verify plugin/list "
                  "dependency/update dependency/build dep completion create", "-n --namespace --kube-context --kubeconfig", by_verb=False),
    **dict.fromkeys(["terraform", "tofu", "terragrunt", "tf"], _TERRAFORM),
    "pulumi": _tool("preview stack/ls stack/output stack/graph stack/history config config/get whoami logs version about stack stack/select login plugin/ls", "-s --stack -C --cwd",
                    by_verb=False),
    "aws": _tool("help s3/ls sts/get-caller-identity configure/list configure/list-profiles configure/get logs/tail eks/update-kubeconfig dynamodb/scan dynamodb/query "
                 "sso/login ecr/get-login-password", _CLOUD.takes, dry="--dry-run --dryrun --generate-cli-skeleton"),
    "gcloud": _tool("help info version auth/list auth/login config/list config/get config/set config/get-value config/configurations logging/read container/clusters/get-credentials "
                    "topic", _CLOUD.takes),
    "gsutil": _tool("ls cat du stat version hash ", "-o -u", dry="-n"),
    "az": _tool("login account/show account/list account/set version find help", _CLOUD.takes),
    "bq": _tool("ls show head  version", _CLOUD.takes, "database"),
    **dict.fromkeys(["gh", "glab"], _tool(
        "pr/list pr/view pr/status pr/diff pr/checks pr/checkout issue/list issue/view issue/status repo/view repo/list repo/clone release/list release/view release/download run/list "
        "run/view run/watch run/download workflow/list workflow/view auth/status gist/list gist/view browse search status label/list secret/list variable/list cache/list "
        "org/list ssh-key/list alias/list extension/list config/get config/list mr/list mr/view mr/diff ci/status ci/view ci/list codespace/list project/list ruleset/list "
        "pr/create issue/create completion version", "-R --repo --hostname --search -S --label -l --author -A --assignee -a --state -s --limit -L --json -q --jq", by_verb=False)),
    "hg": _tool("status log diff cat summary heads tip branches tags id identify annotate blame files manifest paths incoming outgoing parents grep help version "
                "commit add pull branch bookmarks clone init", "-R --cwd --config", "version-control", by_verb=False),
    "svn": _tool("status log info diff cat list ls blame propget proplist help commit add update checkout co up st di", "-r -m", "version-control", by_verb=False),
    "jj": _tool("log status st show diff evolog op/log bookmark/list config/list config/get file/show file/list git/fetch describe new commit help version", "-R",
                "version-control", by_verb=False),
    "npm": _tool("ls list view show info outdated audit search ping whoami doctor docs help explain why fund root prefix bin config/list config/get config/ls pack  "
                 "install i ci add test t start query sbom init create  dedupe rebuild completion la ll update link ", "--prefix -w --workspace --loglevel", "packages"),
    **dict.fromkeys(["yarn", "pnpm", "bun"], _tool(
        "list ls why info outdated audit install add i test t start build lint dev check licenses versions config/list config/get bin help init import workspaces workspace "
        "pack dedupe fetch up upgrade-interactive update upgrade   typecheck", "--cwd -C --filter -F", "packages")),
    **dict.fromkeys(["pip", "pip3", "pip3.11", "pip3.12", "pip3.13"], _tool(
        "list show freeze check search download index help debug config/list config/get cache/info cache/list cache/dir hash inspect wheel install completion", "--python --log",
        "packages", by_verb=False)),
    "pipx": _tool("list install  environment upgrade", "", "packages", by_verb=False),
    "uv": _tool("pip/list pip/show pip/freeze pip/check pip/tree pip/install pip/compile pip/sync sync lock tree version help venv add init python/list python/find python/install tool/list "
                "cache/dir build export self/version", "--project --directory --python -p", "packages", by_verb=False),
    "poetry": _tool("show install lock check version about env/list env/info search add  init build update export shell source/show", "-C --directory", "packages", by_verb=False),
    **dict.fromkeys(["pdm", "rye", "hatch", "pipenv"], _tool("show list info install lock check graph version add sync init build update env shell --venv verify requirements", "", "packages",
                                                           by_verb=False)),
    **dict.fromkeys(["conda", "mamba", "micromamba"], _tool("list info search env/list env/export config/--show create install activate update", "-n -p --name --prefix", "packages",
                                                             by_verb=False)),
    "cargo": _tool("build b check c test t  bench doc d clippy fmt tree metadata search fetch update add new init vendor version help locate-project verify-project "
                   "read-manifest pkgid generate-lockfile report audit outdated expand nextest machete deny package info ", "--manifest-path -Z  --color -C", "packages", by_verb=False),
    "rustup": _tool("show toolchain/list target/list component/list which check doc update default target/add component/add toolchain/install override/list", "", "packages", by_verb=False),
    "go": _tool("build test vet fmt list version env doc mod/tidy mod/download mod/graph mod/verify mod/why mod/init mod/vendor get tool work/sync  help  bug", "-C",
                "packages", by_verb=False),
    **dict.fromkeys(["apt", "apt-get", "aptitude"], _tool("list search show policy depends rdepends changelog madison showpkg download source help update showsrc check indextargets moo", "-o -t -c",
                                                          "packages", dry="-s --simulate --dry-run --just-print --no-act --recon --print-uris", by_verb=False)),
    **dict.fromkeys(["yum", "dnf", "dnf5", "microdnf", "tdnf"], _tool("list search info provides repolist repoquery check-update history history/list history/info deplist group/list module/list updateinfo help "
                                                                "whatprovides check makecache download", "--enablerepo --disablerepo -c", "packages", dry="--assumeno", by_verb=False)),
    "zypper": _tool("search se info if list-updates lu repos lr packages pa patterns what-provides wp help refresh ref", "", "packages", dry="--dry-run -D", by_verb=False),
    "apk": _tool("info list search policy stats version dot update fetch", "", "packages", dry="--simulate -s", by_verb=False),
    "brew": _tool("list ls info search outdated deps uses doctor config leaves desc home cat log --version --prefix --cellar --repository help commands tap-info options missing "
                  "update install shellenv fetch services/list services/info tap bundle/check bundle/list", "", "packages", dry="-n --dry-run", by_verb=False),
    "flatpak": _tool("list search info remotes history ps remote-ls remote-info", "", "packages", by_verb=False),
    "nix": _tool("search flake/show flake/metadata flake/check eval path-info why-depends show-config log registry/list store/ls derivation/show", "", "packages", by_verb=False),
    "guix": _tool("search show describe package/-I", "", "packages", by_verb=False), "port": _tool("list installed search info outdated contents deps", "", "packages", by_verb=False),
    "gem": _tool("list search info specification environment env outdated contents dependency which help sources install query", "", "packages", by_verb=False),
    "bundle": _tool("install list show info outdated check  doctor platform help viz open add lock update package cache licenses", "", "packages", by_verb=False),
    "composer": _tool("show outdated validate install diagnose licenses search depends why about check-platform-reqs audit require update dump-autoload status suggests", "-d", "packages", by_verb=False),
    "mix": _tool("test compile deps deps.get format help hex.info hex.outdated xref credo dialyzer phx.routes phx.server", "", "packages", by_verb=False),
    "dotnet": _tool("build test restore list list/package ef/migrations/list --info --version --list-sdks --list-runtimes format new sln add help pack watch tool/list nuget/list", "", "packages", by_verb=False),
    **dict.fromkeys(["mvn", "gradle", "sbt", "lein", "ant", "bazel", "buck2", "pants"], _tool(
        "test compile build verify package dependency:tree dependency:list validate help:effective-pom check assemble tasks dependencies projects properties help versions:display-dependency-updates "
        "query info version classes testClasses javadoc jar deps lint bootRun  cquery aquery", "-f -P -p --file -pl", "packages", by_verb=False)),
    "luarocks": _tool("list show search which doc config path lint help", "", "packages", by_verb=False),
    "fossil": _tool("status timeline diff info ls changes finfo help version branch/ls tag/list", "-R", "version-control", by_verb=False),
    "helmfile": _tool("list diff template lint build status write-values version", "-f -e -l --file --environment --selector", by_verb=False),
    **dict.fromkeys(["goose", "dbmate", "sqlx", "diesel", "migrate", "atlas-migrate"], _tool(
        "status version migrate/info migration/list migration/pending database/status validate print-schema", "-dir -path -database -source --url", "database", by_verb=False)),
    **dict.fromkeys(["rebar3", "stack", "cabal"], _tool("tree eunit ct compile dialyzer xref build test ls list list-deps path check get-deps deps info hoogle version repl ghci configure freeze outdated", "",
                                                      "packages", by_verb=False)),
    **dict.fromkeys(["conan", "vcpkg"], _tool("search list info inspect install graph/info remote/list profile/list version help integrate", "", "packages", by_verb=False)),
    **dict.fromkeys(["hdfs", "hadoop"], _tool("version -ls -cat -du -df -stat -count -tail -head -test -text -help", "", "database", by_verb=False)),
    "zkCli.sh": _tool("ls get stat ls2 getAcl", "-server", "database", by_verb=False),
    "ghcup": _tool("list whereis tool-requirements changelog --version", "", "packages", by_verb=False),
    "goreleaser": _tool("check healthcheck jsonschema completion", "-f --config", by_verb=False),
    "pre-commit": _tool("run validate-config validate-manifest sample-config help", "-c --config --hook-stage --files", "packages", by_verb=False),
    "jupyter": _tool("--version --paths --config-dir --data-dir notebook/list lab/list server/list kernelspec/list troubleshoot nbconvert", "", "packages", by_verb=False),
    "sqlite-utils": _tool("tables views schema rows query memory triggers indexes search analyze-tables --version", "", "database", by_verb=False),
    "deno": _tool("--version lint check info doc types test bench fmt help", "-c --config", "runs-unknown-code", by_verb=False),
    "opam": _tool("list show search switch/list env config/list var", "", "packages", by_verb=False), "asdf": _tool("list current plugin/list where which latest info list-all install", "", "packages",
                                                                                                                    by_verb=False),
    "mise": _tool("ls list current doctor env where which registry version install settings", "", "packages", by_verb=False),
    **dict.fromkeys(["nvm", "fnm", "pyenv", "rbenv", "nodenv", "goenv", "jenv", "sdk", "volta"], _tool("ls list versions version current which ls-remote install use local shell init prefix root  --version help which whence",
                                                                                     "", "packages", by_verb=False)),
    "rails": _tool("db:migrate:status db:version routes stats notes about test console c server s  zeitwerk:check middleware initializers spec", "-e", "database", by_verb=False),
    "rake": _tool("-T --tasks test spec routes db:migrate:status db:version stats notes lint rubocop", "-f", "database", by_verb=False),
    "alembic": _tool("history current heads show branches check revision", "-c -x -n", "database", dry="--sql", by_verb=False),
    "flask": _tool("routes run shell db/current db/history db/heads db/show", "--app", "database", dry="--sql", by_verb=False), "flyway": _tool("info validate version", "", "database", by_verb=False),
    "liquibase": _tool("status history validate diff update-sql", "", "database", by_verb=False), "prisma": _tool("validate generate format version migrate/status migrate/diff studio", "", "database", by_verb=False),
    **dict.fromkeys(["sequelize-cli", "typeorm", "knex", "drizzle-kit"], _tool("db:migrate:status migrate:status migrate:list migration:show check", "", "database", by_verb=False)),
    "supabase": _tool("status projects/list db/diff migration/list functions/list", "", "database", by_verb=False), "influx": _tool("query bucket/list org/list ping version auth/list config/list", "", "database", by_verb=False),
    "etcdctl": _tool("get endpoint member/list watch version alarm/list snapshot/status", "--endpoints --cacert --cert --key", "database", by_verb=False),
    "consul": _tool("members catalog info kv/get version operator/raft validate monitor", "", by_verb=False),
    "nomad": _tool("status node/status job/status alloc/logs alloc/status version job/plan job/validate job/inspect server/members monitor ui", "", by_verb=False),
    "vault": _tool("status read list kv/get kv/list kv/metadata version auth/list secrets/list policy/list policy/read token/lookup login print path-help", "", by_verb=False),
    "ansible": _tool("--version --list-hosts", "", dry="--check -C --list-hosts", by_verb=False),
    "ansible-playbook": _tool("--version", "-i -l -t -e --tags --limit --inventory", dry="--check -C --syntax-check --list-tasks --list-hosts --list-tags", by_verb=False),
    "ansible-galaxy": _tool("list search info collection/list role/list install collection/install", "", by_verb=False),
    **dict.fromkeys(["doctl", "linode-cli", "hcloud", "scw", "exo", "oci", "ibmcloud", "vultr-cli", "civo", "openstack", "heroku", "fly", "flyctl", "vercel", "netlify", "firebase", "wrangler", "railway", "render", "eb", "copilot", "amplify", "ecs-cli", "eksctl", "argocd", "flux", "istioctl", "linkerd", "minikube", "kind", "k3d", "kops", "kubeadm", "velero", "cilium", "calicoctl", "rancher", "crossplane", "circleci", "travis", "buildkite-agent", "drone", "sentry-cli", "datadog-ci", "snyk", "newrelic", "pagerduty", "stripe", "twilio", "shopify", "supabase", "planetscale", "pscale", "neonctl", "turso", "mongocli", "atlas", "confluent", "kafkactl", "rpk", "vagrant", "lxc", "incus", "crictl", "ctr", "buildah", "skopeo", "multipass", "limactl", "colima", "govc", "restic", "borg", "rclone", "s3cmd", "mc", "sam", "cdk", "serverless", "sls", "packer", "step", "op", "bw", "doppler", "infisical", "chamber", "sops", "jfrog", "gcrane", "crane", "oras", "cosign", "tctl", "tsh", "boundary", "waypoint", "databricks", "dbt", "airflow", "prefect", "dagster", "mlflow", "dvc", "wandb", "huggingface-cli", "hf", "ollama", "localstack", "kustomize", "skaffold", "tilt", "devspace", "garden", "telepresence", "garden", "act", "dagger", "earthly", "task", "just", "tailscale", "zerotier-cli", "consul-template", "twine", "flit", "gem-release", "semantic-release", "lerna", "nx", "turbo", "rush", "changeset", "expo", "eas", "pod", "fastlane", "flutter", "dart", "systemd-nspawn", "machinectl", "portablectl", "homectl", "userdbctl", "resolvconf", "tuned-adm", "virt-manager", "virt-install", "qemu-img", "xcrun", "xcodebuild", "adb", "fastboot", "avrdude", "esptool.py", "openocd", "platformio", "pio", "arduino-cli", "west", "idf.py", "meteor", "ember", "ng", "vue", "nuxt", "next", "vite", "webpack", "rollup", "parcel", "gatsby", "astro", "svelte-kit", "storybook", "direnv", "chezmoi", "yadm", "rcm", "home-manager", "nixos-rebuild", "nixos-option", "darwin-rebuild", "spack"], _CLOUD),
}  # fmt: skip
# What these only read, or only do to the project at hand, beside what their verbs say.
_EXTRA = {
    "vite": "build dev preview", "webpack": "build serve", "rollup": "build", "next": "build dev start lint", "ng": "build test serve lint", "vue": "build serve",
    "nuxt": "build dev generate", "astro": "build dev check", "nx": "build test lint graph", "lerna": "ls changed diff", "parcel": "build",
    "flutter": "build test run analyze devices", "dart": "test analyze format compile", "pod": "install outdated", "dbt": "compile ls debug parse docs", "ollama": "run serve pull",
    "tailscale": "ip netcheck", "vagrant": "up ssh-config global-status port", "minikube": "start dashboard ip service", "kind": "create", "k3d": "create", "direnv": "hook export",
    "istioctl": "analyze proxy-status proxy-config", "tuned-adm": "active recommend profile_info", "sops": "-d --decrypt",
    "act": "-l --list -n --dryrun", "crictl": "pods", "govc": "ls find about version", "ibmcloud": "target version regions", "turbo": "build test lint run", "cdk": "", "eb": "", "restic": "snapshots check stats", "borg": " ", "rclone": "lsd lsl lsf lsjson size about md5sum ncdu listremotes cat",
    "mc": "du", "s3cmd": "du la", "heroku": "apps ps config releases pg:info addons domains", "qemu-img": "info check", "adb": "devices  logcat", "fly": "releases",
    "kustomize": "build", "just": "--list --summary --show", "task": "--list --list-all", "packer": "fmt", "firebase": "projects:list emulators:start", "netlify": "dev build", "vercel": "dev build",
    "wrangler": "dev whoami tail", "earthly": "", "sam": "build local", "serverless": "print package", "sls": "print package", "circleci": "", "crane": "manifest digest config",
    "skopeo": "inspect", "dvc": "metrics plots params", "airflow": "", "expo": "start doctor", "chezmoi": "data managed", "xcodebuild": "-list -version", "svelte-kit": "build", "gatsby": "build develop",
}  # fmt: skip
for _name, _words in _EXTRA.items():
    if _name in TOOLS:
        _old = TOOLS[_name]
        TOOLS[_name] = SubcommandProgram(
            _old.reads | frozenset(_words.split()), _old.takes, _old.kind, _old.dry, _old.by_verb
        )
