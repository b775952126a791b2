import { BlockList, isIPv4 } from 'node:net'

/** Returns a check of whether an address is on this list of addresses and ranges. */
export function openAddressList(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  // A port of both families names IPv4 callers by addresses of the other, which the list knows, too.
  return (address) => list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}
