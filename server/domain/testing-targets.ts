/** Ranges that no webhook may reach, with what each is. */
export const REFUSED_RANGES: Readonly<Record<string, string>> = {
  "0.0.0.0/8": "this network",
  "10.0.0.0/8": "private",
  "100.64.0.0/10": "carrier-grade NAT, and Alibaba's metadata",
  "100.100.100.200/32": "Alibaba's metadata",
  "127.0.0.0/8": "loopback",
  "168.63.129.16/32": "Azure's WireServer, which looks public",
  "169.254.0.0/16": "link-local, and the metadata of most clouds",
  "169.254.169.254/32": "metadata",
  "169.254.170.2/32": "ECS task credentials",
  "169.254.170.23/32": "EKS pod identity",
  "172.16.0.0/12": "private",
  "192.0.0.0/24": "protocol assignments, and Oracle's metadata",
  "192.0.2.0/24": "documentation",
  "192.31.196.0/24": "AS112",
  "192.52.193.0/24": "AMT",
  "192.88.99.0/24": "6to4 relays",
  "192.168.0.0/16": "private",
  "192.175.48.0/24": "AS112",
  "198.18.0.0/15": "benchmarking",
  "198.51.100.0/24": "documentation",
  "203.0.113.0/24": "documentation",
  "224.0.0.0/4": "multicast",
  "240.0.0.0/4": "class E, and broadcast",
  "::/128": "unspecified",
  "::1/128": "loopback",
  "::/96": "IPv4-compatible",
  "::ffff:0:0:0/96": "IPv4-translated",
  "64:ff9b::/96": "NAT64",
  "64:ff9b:1::/48": "local NAT64",
  "100::/64": "discard",
  "2001::/23": "protocol assignments",
  "2001::/32": "Teredo",
  "2001:2::/48": "benchmarking",
  "2001:20::/28": "ORCHIDv2",
  "2001:db8::/32": "documentation",
  "2002::/16": "6to4",
  "2620:4f:8000::/48": "AS112",
  "3fff::/20": "documentation",
  "4000::/2": "not assigned",
  "5f00::/16": "SRv6",
  "8000::/1": "not assigned, and all that follows",
  "fc00::/7": "unique local",
  "fd00:ec2::254/128": "AWS' metadata",
  "fd20:ce::254/128": "Google's metadata",
  "fe80::/10": "link-local",
  "fec0::/10": "site-local",
  "ff00::/8": "multicast",
};

/** Every spelling of 127.0.0.1 that a URL may have. */
export const LOOPBACK_SPELLINGS = [
  ...["127.0.0.1", "127.1", "127.0.1", "127.0.0.1."],
  ...["0x7f.1", "0x7f000001", "0x7F.0x0.0x0.0x1", "0x7f.0.1", "0X7F.1"],
  ...["0177.0.0.1", "0177.1", "017700000001", "00000177.0.0.1", "0177.0x0.0.1"],
  "2130706433",
  ...["①②⑦.⓪.⓪.①", "１２７.０.０.１", "𝟏𝟐𝟕.𝟎.𝟎.𝟏", "127。0。0。1", "127．0．0．1", "127｡0｡0｡1", "①②⑦。1"],
  ...["%31%32%37.0.0.1", "127%2E0%2E0%2E1", "127.0.0.1%2E", "12\u00AD7.0.0.1"],
];

/** Of the same address as one of IPv6. */
export const MAPPED_LOOPBACK = [
  ...["[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::FFFF:7F00:1]", "[0:0:0:0:0:ffff:7f00:1]"],
  "[0000:0000:0000:0000:0000:ffff:127.0.0.1]",
];

/** Of ::1. */
export const LOOPBACK_V6 = [
  "[::1]",
  "[0:0:0:0:0:0:0:1]",
  "[0000::0001]",
  "[::0:1]",
  "[000:0:0000::01]",
  "[::0.0.0.1]",
];

/** Addresses in URLs that are not those of loopback, as what they are in a try. */
export const OTHER_LITERALS = [
  ...["0", "0.0.0.0", "0x0", "00.0", "0.0.0.1"],
  ...["10.0.0.1", "10.1", "0x0a000001", "167772161", "012.0.0.1", "172.16.0.1", "192.168.0.1", "3232235521"],
  ...[
    "169.254.169.254",
    "0xA9FEA9FE",
    "2852039166",
    "0251.0376.0251.0376",
    "169.254.43518",
    "0xa9.254.0xa9fe",
  ],
  ...["169.254.170.2", "169.254.170.23", "100.100.100.200", "192.0.0.192", "168.63.129.16", "0xa83f8110"],
  ...["255.255.255.255", "4294967295", "0xffffffff", "224.0.0.1", "198.18.0.1", "100.64.0.1"],
  ...["[::]", "[::7f00:1]", "[::127.0.0.1]", "[::ffff:0:7f00:1]", "[::ffff:a9fe:a9fe]", "[::ffff:10.0.0.1]"],
  ...["[64:ff9b::7f00:1]", "[64:ff9b::169.254.169.254]", "[64:ff9b:1::a9fe:a9fe]"],
  ...["[2002:7f00:1::]", "[2002:a9fe:a9fe::1]", "[2001:0:7f00:1::]", "[2001::8000:f227:80ff:fffe]"],
  ...["[fd00:ec2::254]", "[fd20:ce::254]", "[fe80::1]", "[fec0::1]", "[ff02::1]", "[100::1]", "[5f00::1]"],
];

/** Addresses that are public, and are refused at registration all the same: a webhook goes to a name. */
export const PUBLIC_LITERALS = [
  "8.8.8.8",
  "134744072",
  "0x08080808",
  "[2606:4700::1111]",
  "[::ffff:8.8.8.8]",
];

/** Hosts that no parser of URLs takes: a zone, a number beyond its range, a character that no host has. */
export const IMPOSSIBLE_HOSTS = [
  ...["[fe80::1%25eth0]", "[fe80::1%eth0]", "[::1%251]", "[::1", "::1", "[127.0.0.1]", "[1::2::3]", "[v1.x]"],
  ...["256.256.256.256", "127.0.0.256", "0x100000000", "4294967296", "1.2.3.4.5", "08.8.8.8", "0x7g.1"],
  ...["%00", "exa%00mple.com", "exa%2Fmple.com", "example.com%5C", "exa<mple.com", "exa^mple.com"],
  ...["*.example.com|x", "", "[", "exam\u200Eple.com:x"],
];

/** Names that only a host of this network has. */
export const LOCAL_NAMES = [
  ...["localhost", "LOCALHOST", "localhost.", "api.localhost", "a.b.localhost", "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ", "ｌocalhost"],
  ...[
    "loc%61lhost",
    "localhos\u00ADt",
    "ip6-localhost",
    "intranet",
    "redis",
    "posthorn",
    "unix",
    "com",
    "com.",
    ".",
  ],
  ...["printer.local", "PRINTER.LOCAL", "db.internal", "router.home.arpa", "x.svc", "posthorn.default.svc"],
  ...["posthorn.default.svc.cluster.local", "host.docker.internal", "kubernetes.default.svc", "example.com."],
  ...[
    "metadata",
    "metadata.",
    "METADATA",
    "metadata.google.internal",
    "metadata.google.internal.",
    "instance-data",
  ],
  ...["instance-data.ec2.internal", "metadata.azure.internal", "ｍetadata.google.internal"],
];

/** URLs that are refused for what they are besides their host. */
export const HOSTILE_URLS = [
  ...[
    "http://example.com/",
    "HTTP://example.com/",
    "ws://example.com/",
    "wss://example.com/",
    "ftp://example.com/",
  ],
  ...[
    "file:///etc/passwd",
    "file://localhost/etc/passwd",
    "javascript:alert(1)",
    "data:text/plain,x",
    "blob:x",
  ],
  ...[
    "gopher://example.com:6379/_FLUSHALL",
    "dict://example.com:11211/stats",
    "ldap://example.com/",
    "jar:x!/",
  ],
  ...[
    "unix:/var/run/docker.sock",
    "unix:///var/run/docker.sock",
    "http+unix://%2Fvar%2Frun%2Fdocker.sock/info",
  ],
  ...[
    "http://unix:/var/run/docker.sock:/info",
    "https://unix:/var/run/docker.sock:/info",
    "npipe:////./pipe/x",
  ],
  ...[
    "https:///etc/passwd",
    "https://%2Fvar%2Frun%2Fdocker.sock/",
    "about:blank",
    "view-source:https://example.com/",
  ],
  ...["", " ", "example.com", "//example.com/", "/hook", "https:", "https://", "https:///", "https:example"],
  ...[" https://example.com/", "https://example.com/ ", "https://exam ple.com/", "ht\ntps://example.com/"],
  ...[
    "https://example.com\t/",
    "https://example.com/\r\nX: 1",
    "https://example.com/\u0000",
    "\uFEFFhttps://example.com/",
  ],
  ...[
    "https://example.com/\u00A0",
    "https://example.com/\u2028",
    "https://example.com/\u0085",
    "https://\u3000example.com/",
  ],
  ...["https:\\\\example.com\\a", "https:/\\example.com/", "https://example.com\\@evil.example/"],
  ...[
    "https://user@example.com/",
    "https://user:secret@example.com/",
    "https://:secret@example.com/",
    "https://@example.com/",
  ],
  ...[
    "https://example.com@127.0.0.1/",
    "https://127.0.0.1@example.com/",
    "https://example.com%40@evil.example/",
  ],
  ...[
    "https://@127.0.0.1/",
    "https://:@127.0.0.1/",
    "https://example.com:443@127.0.0.1/",
    "https://example.com:x@127.0.0.1:443/",
  ],
  ...[
    "https://example.com/#x",
    "https://example.com/#",
    "https://example.com#@evil.example/",
    "https://127.0.0.1#.example.com/",
  ],
  ...[
    "https://example.com:0/",
    "https://example.com:22/",
    "https://example.com:25/",
    "https://example.com:80/",
  ],
  ...[
    "https://example.com:0x50/",
    "https://example.com:1023/",
    "https://example.com:65536/",
    "https://example.com:-1/",
  ],
  ...["https://example.com:00022/", "https://example.com:２２/", "https://example.com:+443/"],
];
