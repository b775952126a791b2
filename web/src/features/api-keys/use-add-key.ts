import type { KeyTest } from '@tripline/proto/key-test'
import { useState } from 'react'
import { useCreateKeyMutation, useTestKeyMutation } from '../../shared/client.ts'
import { failureText } from '../../shared/failure.ts'
import { paperTexts } from '../../ui/paper/paper-texts.ts'
import { useToast } from '../../ui/toast.ts'
import { useCallWithToast } from '../../ui/use-call-with-toast.ts'
import { createBody, type KeyValues } from './key-values.ts'
import { texts } from './texts.ts'

const { form: words, added } = texts

type Tested = KeyTest | { failure: string }

interface Added {
  id: string
  label: string
}

/** Adds a key and tests it at once; one of the paper exchange needs no test, and `onDone` is called for it. */
export function useAddKey(onDone: () => void) {
  const [create, { isLoading }] = useCreateKeyMutation()
  const [testKey] = useTestKeyMutation()
  const [key, setKey] = useState<Added>()
  const [test, setTest] = useState<Tested>()
  const toast = useToast()
  const withToast = useCallWithToast()

  async function runTest({ id }: Added): Promise<Tested> {
    setTest(undefined)
    const tested = await testKey(id)
      .unwrap()
      .catch((cause: unknown) => ({ failure: failureText(cause) }))
    setTest(tested)
    return tested
  }
  async function submit(values: KeyValues) {
    const taken = await withToast(create(createBody(values)).unwrap(), { failure: words.failure.add })
    if (taken === undefined) return
    const { answer: created } = taken
    const success = { title: words.success.add, description: paperTexts.add.added(created.label) }
    if (created.exchange === 'paper') {
      toast.success(success)
      return onDone()
    }
    setKey(created)
    const fault = faultOf(await runTest(created))
    if (fault === undefined) toast.success(success)
    else toast.warning(fault)
  }
  return { submit, isBusy: isLoading, added: key, test, runTest }
}

/** Returns the warning about a key that was added and does not work yet; undefined if it works. */
function faultOf(tested: Tested): { title: string; description: string } | undefined {
  if ('failure' in tested) return { title: added.untestedTitle, description: added.untested(tested.failure) }
  return tested.success ? undefined : { title: added.broken, description: tested.error ?? tested.message }
}
