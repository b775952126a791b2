import { BlockList, isIPv4 } from 'node:net'

/** Whether an address is on a list of addresses and ranges. */
export function openAddressList(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  // A port that takes both families tells IPv4 callers as addresses of the other; the list knows those, too.
  return (address) => list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}
