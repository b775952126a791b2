import type { KeyTest } from '@tripline/proto/key-test'
import { useState } from 'react'
import { useCreateKeyMutation, useTestKeyMutation } from '../../shared/client.ts'
import { failureList, failureText } from '../../shared/failure.ts'
import { paperTexts } from '../../ui/paper/paper-texts.ts'
import { useToast } from '../../ui/toast.ts'
import { createBody, type KeyValues } from './key-values.ts'
import { texts } from './texts.ts'

const { form: words } = texts

interface Added {
  id: string
  label: string
}

/** Adds a key and tests it at once; one of the paper exchange needs no test, and `onDone` is called for it. */
export function useAddKey(onDone: () => void) {
  const [create, { isLoading }] = useCreateKeyMutation()
  const [testKey] = useTestKeyMutation()
  const [added, setAdded] = useState<Added>()
  const [test, setTest] = useState<KeyTest | { failure: string }>()
  const toast = useToast()

  async function runTest({ id }: Added) {
    setTest(undefined)
    try {
      setTest(await testKey(id).unwrap())
    } catch (cause) {
      setTest({ failure: failureText(cause) })
    }
  }
  async function submit(values: KeyValues) {
    try {
      const key = await create(createBody(values)).unwrap()
      toast.success({ title: words.success.add, description: paperTexts.add.added(key.label) })
      if (key.exchange === 'paper') return onDone()
      setAdded(key)
      await runTest(key)
    } catch (cause) {
      toast.error({ title: words.failure.add, description: failureList(cause) })
    }
  }
  return { submit, isBusy: isLoading, added, test, runTest }
}
