import DownloadOutlined from '@ant-design/icons/DownloadOutlined'
import SafetyCertificateOutlined from '@ant-design/icons/SafetyCertificateOutlined'
import type { ChainCheck } from '@tripline/proto/receipt'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import { failureText } from '../../shared/failure.ts'
import { saveAs } from '../../shared/save-as.ts'
import { useToast } from '../../ui/toast.ts'
import { browserSha256, checkFile } from './chain-file.ts'
import { fetchExport, textParts } from './export-receipts.ts'
import { texts } from './texts.ts'

/** Checks the chain in the browser, and exports it. */
export function ChainActions() {
  const [check, setCheck] = useState<ChainCheck>()
  const [count, setCount] = useState<number>()
  const toast = useToast()
  async function run(act: () => Promise<void>, title: string) {
    try {
      await act()
    } catch (failure) {
      toast.error({ title, description: failureText(failure) })
    }
  }
  async function checkAll() {
    setCheck(undefined)
    setCount(0)
    await run(async () => {
      setCheck(await checkFile(textParts(await fetchExport()), browserSha256, setCount))
    }, texts.checkFailure)
    setCount(undefined)
  }
  const save = async () => saveAs(await (await fetchExport()).blob(), 'receipts.jsonl')
  return (
    <div className="chain-actions">
      <Button
        size="small"
        icon={<SafetyCertificateOutlined aria-hidden="true" />}
        disabled={count !== undefined || !isSecureContext}
        title={isSecureContext ? undefined : texts.noCrypto}
        onClick={() => void checkAll()}
      >
        {texts.check}
      </Button>
      <Button
        size="small"
        icon={<DownloadOutlined aria-hidden="true" />}
        onClick={() => void run(save, texts.exportFailure)}
      >
        {texts.exportAll}
      </Button>
      <span className="quiet small" role="status">
        {count !== undefined && texts.checking(count)}
      </span>
      {check !== undefined && <CheckResult check={check} />}
    </div>
  )
}

function CheckResult({ check: { fault, count, first, last } }: { check: ChainCheck }) {
  if (fault !== undefined) return <Alert type="error" showIcon title={texts.broken(fault.reason)} />
  if (first === undefined || last === undefined) return <Alert type="info" title={texts.noneToCheck} />
  return <Alert type="success" showIcon title={texts.whole(count, first, last)} />
}
