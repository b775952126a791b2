import { type LoginBody, type RegisterBody, TokenPair, UserView } from '@tripline/proto/http/auth'
import { api } from '../../shared/api.ts'

const sessionApi = api.injectEndpoints({
  endpoints: (build) => ({
    login: build.mutation<TokenPair, LoginBody>({
      query: (body) => ({ url: 'auth/login', method: 'POST', body }),
      responseSchema: TokenPair,
    }),
    register: build.mutation<UserView, RegisterBody>({
      query: (body) => ({ url: 'auth/register', method: 'POST', body }),
      responseSchema: UserView,
    }),
    getMe: build.query<UserView, void>({ query: () => 'users/me', responseSchema: UserView }),
  }),
})

export const { useLoginMutation, useRegisterMutation, useGetMeQuery, useLazyGetMeQuery } = sessionApi
