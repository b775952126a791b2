import ClearOutlined from '@ant-design/icons/ClearOutlined'
import { Empty, Flex } from 'antd'
import { useDispatch, useSelector } from 'react-redux'
import { IconButton } from '../../ui/icon-button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useToast } from '../../ui/toast.ts'
import { ZoneName } from '../../ui/zone-name.tsx'
import { ResponseCard } from './response-card.tsx'
import { responsesCleared, selectResponses } from './terminal-slice.ts'
import { terminalTexts } from './texts.ts'

/** The response to each message that was sent, newest first. */
export function ResponseMonitor() {
  const responses = useSelector(selectResponses)
  return (
    <Panel title={terminalTexts.monitor} count={responses.length} actions={<MonitorActs />}>
      {responses.length === 0 && <Empty image={null} description={terminalTexts.monitorEmpty} />}
      <Flex component="ol" className="response-list" vertical gap={8}>
        {responses.map((record) => (
          <li key={record.id}>
            <ResponseCard record={record} />
          </li>
        ))}
      </Flex>
    </Panel>
  )
}

function MonitorActs() {
  return (
    <>
      <ZoneName />
      <ClearButton />
    </>
  )
}

function ClearButton() {
  const isEmpty = useSelector(selectResponses).length === 0
  const dispatch = useDispatch()
  const toast = useToast()
  function clear() {
    dispatch(responsesCleared())
    toast.remark({ title: terminalTexts.cleared })
  }
  return (
    <IconButton
      icon={<ClearOutlined aria-hidden="true" />}
      label={terminalTexts.clear}
      disabled={isEmpty}
      onClick={clear}
    />
  )
}
