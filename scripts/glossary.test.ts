import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@jest/globals'
import { rootDir } from '@tripline/testkit/paths'
import { sourceFiles } from './comment-share.ts'

const wordsIn = (text: string): string[] => text.match(/[a-z0-9]+/g) ?? []

/** Names of other products and of ours. */
const products = `
  antd autoview binance bybit ccxt comma finandy okx postgre redis three trip tripline tv whook wunder
`

/** Words of trading that every exchange uses in this sense. */
const trade = `
  balance band bar basis book candle coin fund funding future holding income liquidate listing mainnet
  margin mark network profit protect protection quote realized spot stop strategy trade trader wallet
`

/** Words of software that a textbook explains. */
const software = `
  access agent api app argument auth authorized badge banner boundary browser bus button card catalogue
  category character chip code column concurrency config configuration connection consumer context copy
  credential csv curl dashboard database decimal dep dialog digest dispatcher document dot drawer durable
  editor email error escape eval executor export fetch field filter fixed fnv1a focus footer form format
  forwarder frame header hero history hover html http icon intake join journal json key landing language
  lexer library linear link lint listen lock log login loop mail mailbox masked menu message meter method
  metric mode monitor navigation nonce notification number numbered open openapi option or page pager pair
  panel param parameter parse parser password path performance permission post prefetch prefix prerender
  preview process public publish published query random range reader reconnect redirect reference refresh
  registration relative request reset response retention revision route row rule runner schema scope screen
  script scrolled secret section security sender service session setting shell shortcut signer signing
  skeleton slice sliding slot smtp snake socket spinner sse storage store stored streamed suggestion sum
  summary switch syntax tab table template terminal test text theme thread throttled tile timeline title
  throughput toast toggle token toolbar topic trace traced tracing tree trigger type url usage user username value
  verification verify version view viewed web window wire writer ws zone
`

/** Words that mean in a file's name what a dictionary says. */
const ordinary = `
  abandon able accepted account acknowledged act action active activity add added affordable after afterward again
  against age ago all alone alternating amend amendment anchor and answer answered arrival as aside ask
  asked at awaited awaken back base batch begin begun better board bracket brand brought build
  builder by call cancel carried case change check checklist choice closed closing coming community complete
  compose consent content cost count country create cut deadline decide delay delete delivery denial denied
  describe detail diagnosis directory display draft drawn drive edit elapsed elsewhere empty enable end
  ended ending examine example execute expectation expiring fact failed failure fair faulty feature
  feed figure file filterable find finish first follow follower following for foreign foreseen foresight
  forget forgot fresh full gathering get give guide head heading health held help hint identity ids in is issue
  judge keep keyed known last late later latest legal life lifecycle likely line list live load lowest
  mailed main manual map marked match mean media membership memory missed missing most name named nearest
  new next none notation observe occasion of offered offset on once one opened other outage outcome outside
  overall own owner ownership part passed patient pausable pending percent perform permit place placed
  placement placing plain planned point present privacy private problem profile progress pushed quick reach
  read readable reading rebuild receive recent refusal refuse regenerate register rehearse renew renewal
  replace report require resent resolution restored result return round run running sample save saved
  schedule search second seen select selecting send sending sent serve server set settled several share
  shared shown silence simulated since single site sleep sleeping speed stage status step storable strength stricter
  subject success sweep take taken target task teaser term tester ticking time timed to total traded
  unanswered uncovered unfinished until use usual wait waiting waitlist warm watched way while with without word
  write writing
`

test('the glossary or a list of known words has every word that names a source file', () => {
  const known = new Set([
    ...glossaryWords(),
    ...wordsIn([products, trade, software, ordinary].join(' ')).map(singular),
  ])
  const unknown = sourceFiles()
    .filter((file) => /^(kit|proto|services\/[^/]+\/src|gateway\/src|web\/src)\/.*\.tsx?$/.test(file))
    .filter((file) => !/\.(test|d)\.tsx?$|\/test\//.test(file))
    .flatMap((file) =>
      wordsIn(path.basename(file).replace(/\.tsx?$/, ''))
        .filter((word) => !known.has(singular(word)))
        .map((word) => `${word} in ${file}`),
    )
  expect(unknown).toEqual([])
})

/** The words of the glossary's first column. */
function glossaryWords(): string[] {
  const rows = readFileSync(path.join(rootDir, 'docs/glossary.md'), 'utf8').matchAll(/^\| \*\*(.+?)\*\*/gm)
  return [...rows].flatMap(([, words = '']) =>
    wordsIn(words.replaceAll(/([a-z])([A-Z][a-z])/g, '$1 $2').toLowerCase()).map(singular),
  )
}

function singular(word: string): string {
  if (/..ies$/.test(word)) return word.replace(/ies$/, 'y')
  if (/(ss|x|ch)es$/.test(word)) return word.slice(0, -2)
  return /..[^sui]s$/.test(word) ? word.slice(0, -1) : word
}
