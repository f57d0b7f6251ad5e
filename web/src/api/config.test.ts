// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { aConfig } from '../testing/config.ts';
import { answerCalls, refusal, success } from '../testing/page.tsx';
import { configQuery } from './config.ts';

it('the first configuration that does not come is asked for by the client, and so is every later one', async () => {
  let isUp = false;
  const sent = answerCalls(() => {
    const answer = isUp ? success(aConfig) : refusal(503, 'serverUnavailable', 'Not yet.');
    isUp = true;
    return answer;
  });
  const queries = new QueryClient();
  expect(await queries.fetchQuery(configQuery)).toEqual(aConfig);
  await queries.fetchQuery({ ...configQuery, staleTime: 0 });
  expect(sent.map(({ path }) => path)).toEqual(['/config', '/config', '/config']);
});
