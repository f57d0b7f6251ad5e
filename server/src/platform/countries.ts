import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { type CountryResponse, Reader } from 'mmdb-lib';

/** Tells the country of an address, from a database on this machine: no address leaves it. */
export interface Countries {
  /**
   * Returns the ISO 3166-1 code of the country in which the network of this address is registered; null if it is not known.
   * Whoever calls from a VPN or a data centre seems to be where that is.
   */
  countryOf(address: string): string | null;
}

/** Public domain (CC0): from the registries of addresses, with IPv4 and IPv6. */
const DATABASE = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb';

/**
 * Networks that are nobody's on the internet: of this machine, of homes and companies, of providers behind their own
 * translation, for documentation, multicast and future use.
 */
const NOT_PUBLIC = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
  // IPv6: all that is not global unicast, and what only wraps an IPv4 address or is for documentation.
  ...['::/3', '4000::/2', '8000::/1', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
];
const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');
// One list a family: an IPv4 address also matches networks of IPv6 that contain its mapped form.
const notPublic = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const network of NOT_PUBLIC) {
  const [address = '', prefix] = network.split('/');
  notPublic[familyOf(address)].addSubnet(address, Number(prefix), familyOf(address));
}

/** Returns whether anybody on the internet can have this address; false for what is no address. */
export function isPublicAddress(address: string): boolean {
  const family = familyOf(address);
  return isIP(address) > 0 && !notPublic[family].check(address, family);
}

/** @param local country of callers without a public address, as on the machine of a developer; null if it is not known */
export function openCountries(local: string | null): Countries {
  let reader: Reader<CountryResponse & { readonly country_code?: string }> | null = null;
  return {
    countryOf(address) {
      if (!isPublicAddress(address)) return isIP(address) ? local : null;
      // Eight megabytes that few processes need.
      reader ??= new Reader(readFileSync(createRequire(import.meta.url).resolve(DATABASE)));
      return reader.get(address)?.country_code ?? null;
    },
  };
}
