import { type BaseQueryFn, createApi, type FetchArgs, fetchBaseQuery } from '@reduxjs/toolkit/query/react'
import { authorizedFetch } from './authorized-fetch.ts'
import { expireSession } from './end-session.ts'
import type { ApiFailure } from './failure.ts'

const ask = fetchBaseQuery({
  fetchFn: (input, init) => authorizedFetch(new Request(input, init)),
})

const askInSession: BaseQueryFn<string | FetchArgs, unknown, ApiFailure> = async (call, api, options) => {
  const answer = await ask(call, api, options)
  const status = answer.error?.status
  if (status === 401 || status === 403) expireSession()
  return answer
}

/** The way calls are made; the list of calls is written from the gateway's own description into `client.ts`. */
export const apiBase = createApi({
  reducerPath: 'api',
  baseQuery: askInSession,
  endpoints: () => ({}),
})
