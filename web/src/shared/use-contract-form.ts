import { type Api, api, type EndpointName, type SentInputOf } from '@framelift/contract';
import { useForm } from '@mantine/form';

/**
 * A long form and the input of the call that it makes, checked by the contract's schema as the server will check it.
 * It brings the schemas along, so only pages that are loaded when needed may use it.
 * @param toInput makes the input from the fields
 * @returns the form; the input, or null while it is not valid; and which fields of the input are wrong
 */
export function useContractForm<N extends EndpointName, V extends Record<string, unknown>>(
  endpoint: N,
  initialValues: V,
  toInput: (values: V) => SentInputOf<Api[N]>,
) {
  const form = useForm<V>({ initialValues });
  const input = toInput(form.values);
  const { success, error } = api[endpoint].input.safeParse(input);
  const wrong = (field: keyof SentInputOf<Api[N]>) => error?.issues.some(({ path }) => path[0] === field) ?? false;
  return { form, input: success ? input : null, wrong };
}
