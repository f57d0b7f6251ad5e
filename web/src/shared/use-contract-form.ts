import { type Api, api, type EndpointName, type SentInputOf } from '@framelift/contract';
import { useForm } from '@mantine/form';

/**
 * A form whose input is validated by the contract's schema, exactly as on the server. It imports the schemas, so only
 * lazily loaded pages may use it.
 * @param toInput converts the fields to the input
 * @returns the form; the input, or null while it is invalid; and which fields of the input are invalid
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
