import type { KeyTest } from '@tripline/proto/key-test'
import { Button, Drawer, Spin } from 'antd'
import { useFocusReturn } from '../../ui/use-focus-return.ts'
import { TestReport } from './test-report.tsx'
import { texts } from './texts.ts'

const { added: words } = texts

interface AddedKeyProps {
  label: string
  /** The result of the last test; undefined while one runs. */
  test: KeyTest | { failure: string } | undefined
  onTest: () => void
  onClose: () => void
}

/** Shows the test of a key that was just added, with the steps to take where it failed. */
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
