/** Returns the range that one person has at least: an address of IPv4, 64 bits of IPv6. */
export function addressRange(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!address.includes(':')) return address
  const [head = '', tail] = address.toLowerCase().split('::')
  const groups = head.split(':').filter((group) => group !== '')
  const behind = tail?.split(':').filter((group) => group !== '') ?? []
  while (groups.length + behind.length < 8) groups.push('0')
  const significant = [...groups, ...behind].slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''))
  return `${significant.join(':')}::/64`
}
