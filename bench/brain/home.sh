# Makes the home that every task starts from. Run in an empty directory.
set -eu
umask 022
mkdir -p work && cd work
mkdir -p src/lib docs/img logs data tmp cache photos incoming
cat > notes.txt <<'T'
Monday: call Alice about the invoice
Tuesday: fix the printer
Wednesday: lunch with Bob

Thursday: send the report to alice@example.com
Friday: deploy version 2.1
TODO: buy milk
todo: water the plants
Saturday: nothing

Sunday: read the book by Carol, bob@example.org
The end
T
cat > words.txt <<'T'
banana
apple
cherry
apple
date
banana
apple
elderberry
fig
T
cat > words2.txt <<'T'
apple
grape
fig
kiwi
T
printf '%s\n' 42 7 19 100 3 58 7 21 > numbers.txt
cat > sales.csv <<'T'
date,region,product,amount
2026-01-04,north,lamp,120
2026-01-05,south,chair,340
2026-01-05,north,desk,560
2026-01-07,west,lamp,110
2026-01-09,south,lamp,95
2026-01-11,east,chair,310
2026-01-15,north,chair,330
2026-01-20,west,desk,540
T
cat > staff.csv <<'T'
alice,31,berlin
bob,45,paris
carol,28,rome
dave,52,berlin
T
for i in $(seq 1 24); do
  echo "10.0.0.$((i % 5)) - - [04/Jan/2026:10:0$((i % 10)):00] \"GET /page$((i % 7)).html HTTP/1.1\" $([ $((i % 6)) = 0 ] && echo 404 || echo 200) $((i * 37))"
done > access.log
for i in $(seq 1 30); do
  case $((i % 7)) in 0) l=ERROR m="disk full";; 3) l=WARNING m="slow query";; 5) l=ERROR m="connection refused";; *) l=INFO m="request served";; esac
  echo "2026-01-0$((i % 9 + 1)) 12:$((10 + i)):00 $l $m id=$((1000 + i))"
done > app.log
cat > config.ini <<'T'
# settings of the server
host=localhost
port=8080

# logging
debug=false
level=info
T
cat > users.json <<'T'
[{"name":"alice","age":31},{"name":"bob","age":45},{"name":"carol","age":28}]
T
echo '{"version":"1.4.2","name":"demo","debug":true}' > package.json
printf 'one\r\ntwo\r\nthree\r\n' > windows.txt
printf 'first line  \nsecond\t\nthird\n' > trailing.txt
printf '#!/bin/sh\necho deployed\n' > deploy.sh
printf '#!/bin/sh\necho built\n' > build.sh; chmod 755 build.sh
printf 'import os\n\n\ndef main():\n    print("hello")  # TODO tidy\n' > src/main.py
printf 'def add(a, b):\n    return a + b\n' > src/util.py
printf 'import sys\nimport os\n' > src/lib/helper.py
printf 'int main(void) { return 0; }\n' > src/lib/old.c
printf '# Demo\n\nRead the guide. TODO\n' > docs/readme.md
printf '# Guide\n\nFirst install, then run.\n' > docs/guide.md
printf 'png' > docs/img/logo.png; printf 'jpgjpg' > docs/img/photo.jpg
printf 'x' > photos/IMG_001.JPG; printf 'yy' > photos/IMG_002.JPG; printf 'zzz' > photos/cat.png
printf 'alpha error\nbeta\n' > logs/a.log; printf 'gamma\n' > logs/b.log; printf 'error\nerror\n' > logs/c.log.old
head -c 2200000 /dev/zero > data/big.bin; head -c 10240 /dev/zero > data/small.bin; : > data/empty.dat; : > data/void.txt
echo hidden > .env; echo 'my words' > 'my file.txt'
cp notes.txt report.txt; sed -i 's/Bob/Robert/' report.txt
cp words.txt incoming/copy.txt; echo new > incoming/new.txt
ln -s logs/b.log latest; ln -s nowhere broken
tar -czf backup.tar.gz docs; tar -cf bundle.tar words.txt numbers.txt
printf 'create table t;\ninsert into t;\n' | gzip -n > dump.sql.gz
python3 -c "import zipfile; z = zipfile.ZipFile('photos.zip', 'w'); z.write('photos/cat.png'); z.write('notes.txt')"
touch -d '40 days ago' logs/c.log.old data/small.bin; touch -d '10 days ago' logs/a.log src/util.py
touch -d '3 days ago' docs/guide.md docs/readme.md; touch -d '2 hours ago' notes.txt sales.csv
touch -d '400 days ago' words2.txt; touch -d '1 minute ago' app.log
mkdir ../repo && cd ../repo
export GIT_AUTHOR_DATE='2026-01-02T10:00:00' GIT_COMMITTER_DATE='2026-01-02T10:00:00'
git init -q -b main .; git config user.name alice; git config user.email alice@example.com
echo one > a.txt; echo x > b.txt; git add .; git commit -qm 'first files'
echo two >> a.txt; git commit -qam 'second line'
git branch feature; git tag v1.0
echo three >> a.txt; git commit -qam 'third line'
git switch -q feature; echo feat > f.txt; git add f.txt; git commit -qm 'add feature'; git switch -q main
echo changed >> b.txt; echo u > untracked.txt; echo s > staged.txt; git add staged.txt
