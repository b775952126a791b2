import type { KeyTest } from '@tripline/proto/key-test'
import { Button, Drawer, Spin } from 'antd'
import { useFocusReturn } from '../../ui/use-focus-return.ts'
import { TestReport } from './test-report.tsx'
import { texts } from './texts.ts'

const { added: words } = texts

interface AddedKeyProps {
  label: string
  /** What the first test found; undefined while it runs. */
  test: KeyTest | { failure: string } | undefined
  onTest: () => void
  onClose: () => void
}

/** What the exchange says of a key that was just added, and what to do where it says no. */
export function AddedKey({ label, test, onTest, onClose }: AddedKeyProps) {
  useFocusReturn()
  return (
    <Drawer
      title={words.title(label)}
      open
      size={480}
      onClose={onClose}
      footer={
        <div className="drawer-foot">
          <Button disabled={test === undefined} onClick={onTest}>
            {words.again}
          </Button>
          <Button type="primary" onClick={onClose}>
            {words.done}
          </Button>
        </div>
      }
    >
      <div role="status">
        {test === undefined ? (
          <p>
            <Spin size="small" /> {words.running}
          </p>
        ) : (
          <Tested test={test} />
        )}
      </div>
    </Drawer>
  )
}

function Tested({ test }: { test: KeyTest | { failure: string } }) {
  if ('failure' in test) return <p>{words.untested(test.failure)}</p>
  return (
    <>
      <p>
        <strong>{test.success ? words.works : words.fails}</strong>
      </p>
      <TestReport test={test} />
      {!test.success && <p className="quiet">{words.kept}</p>}
    </>
  )
}
