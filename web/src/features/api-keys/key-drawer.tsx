import { Button, Drawer, Flex, Form, type FormInstance } from 'antd'
import { Children, type ReactNode } from 'react'
import { useBatches } from '../../ui/use-batches.ts'
import { useFocusReturn } from '../../ui/use-focus-return.ts'
import { followingValues, type KeyValues } from './key-values.ts'
import { texts } from './texts.ts'

interface KeyDrawerProps {
  title: string
  submitText: string
  isBusy: boolean
  form: FormInstance<KeyValues>
  initialValues: KeyValues
  onSubmit: (values: KeyValues) => void
  onClose: () => void
  children: ReactNode
}

/** A form about a key in a drawer, with what sends it off always in sight. */
export function KeyDrawer(props: KeyDrawerProps) {
  useFocusReturn()
  const { title, submitText, isBusy, form, initialValues, onSubmit, onClose } = props
  const parts = Children.toArray(props.children)
  const drawn = useBatches(1 + parts.length)
  return (
    <Drawer
      title={title}
      open
      size={480}
      onClose={onClose}
      footer={
        <Flex gap={8} justify="end">
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="primary" loading={isBusy} onClick={form.submit}>
            {submitText}
          </Button>
        </Flex>
      }
    >
      {drawn > 1 && (
        <Form
          form={form}
          className="key-form"
          layout="vertical"
          requiredMark={false}
          initialValues={initialValues}
          scrollToFirstError={{ focus: true }}
          onValuesChange={(changed: Partial<KeyValues>, values) =>
            form.setFieldsValue(followingValues(changed, values))
          }
          onFinish={() => onSubmit({ ...initialValues, ...form.getFieldsValue(true) })}
        >
          {parts.slice(0, drawn - 1)}
          {/* Lets Enter send the form from every field. */}
          <button type="submit" hidden />
        </Form>
      )}
    </Drawer>
  )
}
