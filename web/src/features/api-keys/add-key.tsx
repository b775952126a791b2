import type { KeyView } from '@tripline/proto/http/key'
import type { KeyTest } from '@tripline/proto/key-test'
import { Button, Drawer, Flex, Form, Spin } from 'antd'
import { siteWord } from '../../shared/site-word.ts'
import { useFocusReturn } from '../../ui/use-focus-return.ts'
import { CredentialFields, KeyGuide } from './credential-fields.tsx'
import { isTestnetOnly, marketsOf, offeredExchanges } from './exchange-options.ts'
import { ChoiceCards, FormStep, LabelField, NotificationFields, SwitchField } from './form-fields.tsx'
import { KeyDrawer } from './key-drawer.tsx'
import { type KeyValues, newKeyValues } from './key-values.ts'
import { TestReport } from './test-report.tsx'
import { texts } from './texts.ts'
import { useAddKey } from './use-add-key.ts'

const { form: words } = texts

interface AddKeyProps {
  keys: readonly KeyView[]
  onClose: () => void
}

/** Links an exchange account, or opens a Paper one, under a label. */
export function AddKey({ keys, onClose }: AddKeyProps) {
  const [form] = Form.useForm<KeyValues>()
  const { submit, isBusy, added, test, runTest } = useAddKey(onClose)
  if (added !== undefined)
    return <AddedKey label={added.label} test={test} onTest={() => void runTest(added)} onClose={onClose} />
  return (
    <KeyDrawer
      title={words.addTitle}
      submitText={words.add}
      isBusy={isBusy}
      form={form}
      initialValues={newKeyValues()}
      onSubmit={(values) => void submit(values)}
      onClose={onClose}
    >
      <FormStep number={1} title={words.name}>
        <LabelField others={keys.map(({ label }) => label)} />
      </FormStep>
      <ExchangeSteps />
      <FormStep number={4} title={words.preferences}>
        <NotificationFields />
      </FormStep>
    </KeyDrawer>
  )
}

function ExchangeSteps() {
  const form = Form.useFormInstance<KeyValues>()
  const exchange = Form.useWatch('exchange', form) ?? form.getFieldValue('exchange')
  const market = Form.useWatch('market_type', form) ?? form.getFieldValue('market_type')
  const exchanges = offeredExchanges(siteWord('okx') === 'on')
  return (
    <>
      <FormStep number={2} title={words.place}>
        <Form.Item name="exchange" noStyle>
          <ChoiceCards name={words.exchange} options={exchanges} />
        </Form.Item>
        <Form.Item name="market_type" noStyle>
          <ChoiceCards name={words.market} options={marketsOf(exchange, exchanges)} />
        </Form.Item>
      </FormStep>
      <FormStep number={3} title={words.credentials}>
        {exchange === 'paper' ? (
          <p className="quiet small form-note">{words.paperNote}</p>
        ) : (
          <>
            <KeyGuide />
            <CredentialFields exchange={exchange} />
            <TestnetField isFixed={isTestnetOnly(exchange, market)} />
          </>
        )}
      </FormStep>
    </>
  )
}

function TestnetField({ isFixed }: { isFixed: boolean }) {
  const hint = isFixed ? words.testnetOnly : words.testnetHint
  return <SwitchField name="is_testnet" label={words.testnet} hint={hint} isDisabled={isFixed} />
}

const { added: addedWords } = texts

interface AddedKeyProps {
  label: string
  /** The result of the last test; undefined while one runs. */
  test: KeyTest | { failure: string } | undefined
  onTest: () => void
  onClose: () => void
}

/** Shows the test of a key that was just added, with the steps to take where it failed. */
function AddedKey({ label, test, onTest, onClose }: AddedKeyProps) {
  useFocusReturn()
  return (
    <Drawer
      title={addedWords.title(label)}
      open
      size={480}
      onClose={onClose}
      footer={
        <Flex gap={8} justify="end">
          <Button disabled={test === undefined} onClick={onTest}>
            {addedWords.again}
          </Button>
          <Button type="primary" onClick={onClose}>
            {addedWords.done}
          </Button>
        </Flex>
      }
    >
      <div role="status">
        {test === undefined ? (
          <p>
            <Spin size="small" /> {addedWords.running}
          </p>
        ) : (
          <Tested test={test} />
        )}
      </div>
    </Drawer>
  )
}

function Tested({ test }: { test: KeyTest | { failure: string } }) {
  if ('failure' in test) return <p>{addedWords.untested(test.failure)}</p>
  return (
    <>
      <p>
        <strong>{test.success ? addedWords.works : addedWords.fails}</strong>
      </p>
      <TestReport test={test} />
      {!test.success && <p className="quiet">{addedWords.saved}</p>}
    </>
  )
}
