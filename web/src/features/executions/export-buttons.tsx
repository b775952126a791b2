import DownloadOutlined from '@ant-design/icons/DownloadOutlined'
import { Button } from 'antd'
import { useState } from 'react'
import { authorizedFetch } from '../../shared/authorized-fetch.ts'
import { expireSession } from '../../shared/end-session.ts'
import { failureOf, failureText } from '../../shared/failure.ts'
import { useZone } from '../../shared/zone.ts'
import { useToast } from '../../ui/toast.ts'
import { exportQuery } from './execution-query.ts'
import { saveAs } from './save-as.ts'
import { texts } from './texts.ts'
import { useFilters } from './use-filters.ts'

const formats = ['csv', 'json'] as const
type Format = (typeof formats)[number]

/** Downloads everything that the filters choose. */
export function ExportButtons() {
  const { filter, sort } = useFilters()
  const zone = useZone()
  const toast = useToast()
  const [busy, setBusy] = useState<Format>()
  async function save(format: Format) {
    setBusy(format)
    const { file, failure } = await exported(
      exportQuery(format, filter, sort, { nowMs: Date.now(), zone }),
    ).catch(notAnswered)
    if (file) saveAs(file, `executions.${format}`)
    else toast.error({ title: texts.export.failure, description: failureText(failure) })
    setBusy(undefined)
  }
  return formats.map((format) => (
    <Button
      key={format}
      size="small"
      icon={<DownloadOutlined spin={busy === format} aria-hidden="true" />}
      disabled={busy !== undefined}
      onClick={() => void save(format)}
    >
      {texts.export[format]}
    </Button>
  ))
}

interface Exported {
  file?: Blob
  failure?: unknown
}

const notAnswered = (failure: unknown): Exported => ({ failure })

async function exported(query: URLSearchParams): Promise<Exported> {
  const answer = await authorizedFetch(new Request(`/api/webhook-executions/export?${query}`))
  if (answer.status === 401 || answer.status === 403) expireSession()
  return answer.ok ? { file: await answer.blob() } : { failure: await failureOf(answer) }
}
