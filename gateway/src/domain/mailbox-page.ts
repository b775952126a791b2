import { escapeHtml } from '@tripline/proto/escape-html'

/** A mail as the local mail server keeps it. */
export interface StoredMail {
  to: string
  subject: string
  text: string
  date: string
}

/** The page that shows mails to people: their text, with what in it is an address as a link; `nonce` allows its style. */
export function mailboxPage(mails: readonly StoredMail[], nonce: string): string {
  const shown = mails.length === 0 ? '<p>No mails yet.</p>' : mails.map(article).join('\n')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Mailbox</title>
<style nonce="${nonce}">
body {
  max-width: 48rem;
  margin: 1rem auto;
  padding: 0 1rem;
  font-family: sans-serif;
  line-height: 1.5;
  overflow-wrap: anywhere;
}
</style>
</head>
<body>
<h1>Mailbox</h1>
<p>Mails that Tripline has sent on this machine, newest first. Reload the page for new ones.</p>
${shown}
</body>
</html>
`
}

function article({ to, subject, text, date }: StoredMail): string {
  const paragraphs = text
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${linked(escapeHtml(paragraph))}</p>`)
  return `<article>
<h2>${escapeHtml(subject)}</h2>
<p>To ${escapeHtml(to)}, ${escapeHtml(dateText(date))}</p>
${paragraphs.join('\n')}
</article>`
}

/** The moment as people write it; what is no moment stays as it is. */
function dateText(date: string): string {
  return date.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/, '$1 $2 UTC')
}

function linked(escaped: string): string {
  return escaped.replaceAll(/https?:\/\/[^\s<>]+/g, (address) => `<a href="${address}">${address}</a>`)
}
