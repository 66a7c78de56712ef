# Debian's packages for another purpose than this machine's, to be sourced: apt in a folder of its own, on which nothing is
# installed. The machine's lists and packages stay as they are.

# Sets VERSION_CODENAME.
# shellcheck source=/dev/null
. /etc/os-release

# The mirror from which this machine's apt takes Debian itself.
debian_mirror() {
    # shellcheck disable=SC2016 # fields of apt
    apt-get indextargets --format '$(REPO_URI)' "Created-By: Packages" "Codename: $VERSION_CODENAME" "Label: Debian" | sed -n 1p
}

# private_apt FOLDER ARCHITECTURE [SOURCES]: every apt from now on works in FOLDER/apt, for that architecture and with the
# file SOURCES in place of the machine's lists.
private_apt() {
    local apt=$1/apt architecture=$2 sources=${3:-}
    mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial"
    : >"$apt/state/status"
    cat >"$apt/conf" <<END
APT::Architecture "$architecture";
APT::Architectures { "$architecture"; };
APT::Sandbox::User "root";
Dir::State "$apt/state";
Dir::State::status "$apt/state/status";
Dir::Cache "$apt/cache";
END
    [ -z "$sources" ] || printf 'Dir::Etc::sourcelist "%s";\nDir::Etc::sourceparts "-";\n' "$sources" >>"$apt/conf"
    export APT_CONFIG=$apt/conf
    apt-get update -qq
}
