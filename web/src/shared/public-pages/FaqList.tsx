import { type FaqEntry, htmlLangOf } from '@framelift/contract';
import { Accordion } from '@mantine/core';
import { Markdown } from '../markdown/Markdown.tsx';

interface Props {
  readonly entries: readonly FaqEntry[];
  /** Which answers are open at first. */
  readonly opened?: readonly string[];
}

/** Questions; each answer expands below its question. */
export function FaqList({ entries, opened = [] }: Props) {
  return (
    <Accordion order={2} variant="separated" multiple defaultValue={[...opened]} w="100%">
      {entries.map(({ id, question, answer }) => (
        <Accordion.Item key={id} value={id}>
          <Accordion.Control lang={htmlLangOf(question.language)}>{question.text}</Accordion.Control>
          <Accordion.Panel lang={htmlLangOf(answer.language)}>
            <Markdown text={answer.text} />
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}
