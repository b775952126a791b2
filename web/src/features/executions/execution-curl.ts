/** A command line that sends the message again; the token is to be filled in, so that it can be shown to others. */
export function curlOf(origin: string, message: string): string {
  const body = message.replaceAll("'", `'\\''`)
  return [
    `curl "${origin}/webhook/$WEBHOOK_TOKEN"`,
    `-H 'content-type: text/plain; charset=utf-8'`,
    `--data-binary '${body}'`,
  ].join(' \\\n  ')
}
