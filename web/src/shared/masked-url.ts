/** A webhook's address with its token hidden: whoever has the token can trade. */
export function maskedUrl(webhookUrl: string): string {
  return webhookUrl.replace(/[^/]+$/, '••••••••')
}
