/** Returns a webhook's address with its token hidden: anybody with the token can trade. */
export function maskedUrl(webhookUrl: string): string {
  return webhookUrl.replace(/[^/]+$/, '••••••••')
}
