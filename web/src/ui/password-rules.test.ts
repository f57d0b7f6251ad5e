import { isStrongPassword } from '@framelift/contract';
import { expect, it } from 'vitest';
import { isStrong } from './password-rules.ts';

it('[R-5.password.1] [R-9.password.1] the live hints say the same as the rule of the server', () => {
  expect(isStrong('Passw0rd')).toBe(true);
  const parts = ['', 'a', 'B', '1', 'é', 'Ü', '٣', '密碼', '!', ' ', 'aaaa', 'BBBB', '1111'];
  for (const first of parts)
    for (const second of parts)
      for (const third of parts)
        for (const fourth of parts) {
          const password = first + second + third + fourth;
          expect(isStrong(password), JSON.stringify(password)).toBe(isStrongPassword(password));
        }
});
