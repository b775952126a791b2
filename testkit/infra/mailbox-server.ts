import { createServer } from 'node:http'
import { startMailCatcher } from './mail-catcher.ts'

// A process of its own: SMTP on one port, and on the other the stored mails, as JSON.
const [smtpPort = '', httpPort = '', host = '127.0.0.1'] = process.argv.slice(2)
const relayUrl = process.env['SMTP_URL']
const catcher = await startMailCatcher({
  host,
  port: Number(smtpPort),
  ...(relayUrl ? { relayUrl } : {}),
})
const http = createServer((_request, response) => {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(catcher.mails))
})
http.listen(Number(httpPort), host)

process.once('SIGTERM', () => process.exit(0))
