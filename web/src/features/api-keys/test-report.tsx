import type { KeyTest } from '@tripline/proto/key-test'
import { CopyButton } from '../../ui/copy-button.tsx'
import { addressesIn } from './addresses-in.ts'
import { texts } from './texts.ts'

const { connection: words } = texts

type Check = KeyTest['checks'][number]

const looks = {
  well: { status: 'success', glyph: '✓' },
  bad: { status: 'failed', glyph: '✕' },
  notReported: { status: 'unknown', glyph: '?' },
} as const

/** The findings of a key test, point by point, with what to do about each that is not well. */
export function TestReport({ test }: { test: Pick<KeyTest, 'checks'> }) {
  return (
    <ul className="test-report">
      {test.checks.map((check) => (
        <CheckLine key={check.id} check={check} />
      ))}
    </ul>
  )
}

function CheckLine({ check: { id, ok, message, fix } }: { check: Check }) {
  const look = ok === null ? 'notReported' : ok ? 'well' : 'bad'
  const { status, glyph } = looks[look]
  return (
    <li className={`status-${status}`}>
      <span className="check-glyph" aria-hidden="true">
        {glyph}
      </span>
      <strong>
        {words.checks[id]} <span className="visually-hidden">{words[look]}</span>
      </strong>
      <span className="quiet">{message}</span>
      {fix !== null && (
        <p>
          <strong>{words.fix}:</strong> {fix}
          {addressesIn(fix).map((address) => (
            <CopyButton key={address} text={address} label={words.copyAddress} />
          ))}
        </p>
      )}
    </li>
  )
}
