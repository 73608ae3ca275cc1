#!/usr/bin/env bash
# sources.sh CACHE: the programs of `bench native`, from Debian's source packages, built twice in CACHE:
# static with musl to be emulated, and with gcc --coverage for the branches (the program's own source alone).
set -euo pipefail
cache=$1; here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$cache/src" "$cache/bin" "$cache/lists/partial"; cd "$cache"
if [ ! -e src/.done ]; then
  # The archive that this machine installs from. The first repository is the release itself, not its updates.
  uri=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | sed -n 1p)
  [ -n "$uri" ] || { echo "sources.sh: apt knows no archive: run apt-get update first" >&2; exit 2; }
  suite=$(. /etc/os-release; echo "$VERSION_CODENAME")
  printf 'Types: deb-src\nURIs: %s\nSuites: %s\nComponents: main\n' "$uri" "$suite" > src.sources
  options=(-o "Dir::Etc::sourcelist=$cache/src.sources" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$cache/lists")
  apt-get "${options[@]}" -qq update
  (cd src && apt-get "${options[@]}" -qq source --download-only coreutils cjson expat)
  (cd src && for archive in *.orig.tar.*; do tar xf "$archive"; done)
  touch src/.done
fi
static=(-O1 -g0 -fno-stack-protector -fcf-protection=none)
counted=(-O0 -g0)

core=$(echo "$cache"/src/coreutils-*/)
for tool in tr expr ptx; do
  for kind in emulated covered; do
    [ -e "bin/$tool.$kind" ] && continue
    mkdir -p "build/$kind"; cd "build/$kind"
    if [ $kind = emulated ]; then compiler=musl-gcc; flags="${static[*]}"; link=-static; else compiler=gcc; flags="${counted[*]}"; link=; fi
    [ -e Makefile ] || FORCE_UNSAFE_CONFIGURE=1 "$core/configure" --disable-nls --disable-acl --disable-xattr --disable-libcap \
      --without-selinux --without-libgmp CC=$compiler CFLAGS="$flags" LDFLAGS="$link" > configure.log 2>&1
    # One program alone: `make all` would make these headers first.
    make -f Makefile -f <(echo 'headers: $(BUILT_SOURCES)') headers > make-headers.log 2>&1
    make "src/$tool" > "make-$tool.log" 2>&1
    if [ $kind = covered ]; then
      rm -f "src/$tool" "src/$tool.o"
      make "src/$tool" CFLAGS="$flags --coverage" LDFLAGS=--coverage > "make-$tool.log" 2>&1
    fi
    cp "src/$tool" "$cache/bin/$tool.$kind"; cd "$cache"
  done
done

for name in cjson expat; do
  if [ $name = cjson ]; then
    tree=$(echo "$cache"/src/cJSON-*/); sources=("$tree/cJSON.c"); include=("-I$tree"); measured=cJSON.c
  else
    # What its configure would write: all that matters here comes from the command line.
    mkdir -p build/expat; echo '#define BYTEORDER 1234' > build/expat/expat_config.h
    tree=$(echo "$cache"/src/libexpat-*/expat/); include=("-I$cache/build/expat" "-I$tree/lib" -DXML_GE=1 -DXML_DTD -DXML_NS -DXML_CONTEXT_BYTES=1024 -DXML_POOR_ENTROPY)
    sources=("$tree/lib/xmlparse.c" "$tree/lib/xmlrole.c" "$tree/lib/xmltok.c"); measured=xmlparse.c
  fi
  [ -e "bin/$name.emulated" ] || musl-gcc -static -no-pie "${static[@]}" "${include[@]}" -o "bin/$name.emulated" "$here/drivers/$name.c" "${sources[@]}" -lm
  if [ ! -e "bin/$name.covered" ]; then
    mkdir -p "build/$name"; objects=()
    for source in "$here/drivers/$name.c" "${sources[@]}"; do
      file=$(basename "$source"); object="$cache/build/$name/${file%.c}.o"; extra=
      [ "$file" = "$measured" ] && extra=--coverage
      gcc "${counted[@]}" $extra "${include[@]}" -c -o "$object" "$source"; objects+=("$object")
    done
    gcc --coverage -o "bin/$name.covered" "${objects[@]}" -lm
  fi
done
