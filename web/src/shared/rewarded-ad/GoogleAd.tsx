import { Text } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './RewardedAd.module.css';
import type { AdEvents, AdPlayerProps } from './watch-ad.ts';

const SCRIPT = 'https://securepubads.g.doubleclick.net/tag/js/gpt.js';

interface Slot {
  addService(service: PubAds): Slot;
}
interface SlotEvent {
  readonly slot: Slot;
  readonly isEmpty?: boolean;
  makeRewardedVisible?(): void;
}
interface PubAds {
  setPrivacySettings(settings: { nonPersonalizedAds: boolean }): void;
  addEventListener(name: string, listener: (event: SlotEvent) => void): void;
  removeEventListener(name: string, listener: (event: SlotEvent) => void): void;
}
/** The part of the Google Publisher Tag that a rewarded slot needs. */
interface GoogleTag {
  readonly cmd: { push(run: () => void): unknown };
  readonly enums: { readonly OutOfPageFormat: { readonly REWARDED: number } };
  defineOutOfPageSlot(path: string, format: number): Slot | null;
  pubads(): PubAds;
  enableServices(): void;
  display(slot: Slot): void;
  destroySlots(slots: Slot[]): void;
}

/** A rewarded slot of Google, which covers the page by itself. Google's script is loaded here and nowhere else. */
export function GoogleAd({ ad: { adUnitPath }, events }: AdPlayerProps) {
  const { t } = useTranslation('ads');
  useEffect(() => showGoogleAd(adUnitPath ?? '', events), [adUnitPath, events]);
  return <Text className={classes.google ?? ''}>{t('modal.google')}</Text>;
}

/** Opens the slot. Returns a function that removes it. */
function showGoogleAd(path: string, events: AdEvents): () => void {
  const page = window as unknown as { googletag?: GoogleTag | { cmd: (() => void)[] } };
  page.googletag ??= { cmd: [] };
  if (!document.querySelector(`script[src="${SCRIPT}"]`)) {
    const script = document.createElement('script');
    script.src = SCRIPT;
    script.async = true;
    // Blocked by an extension, by the policy of a page that was opened before, or by the network: the next try loads it.
    script.onerror = () => {
      script.remove();
      events.closed();
    };
    document.head.append(script);
  }
  let remove = () => {};
  let isGone = false;
  page.googletag.cmd.push(() => {
    if (isGone) return;
    const tag = page.googletag as GoogleTag;
    const slot = tag.defineOutOfPageSlot(path, tag.enums.OutOfPageFormat.REWARDED);
    // Google offers rewarded ads to some browsers only.
    if (!slot) return events.closed();
    const pubads = tag.pubads();
    pubads.setPrivacySettings({ nonPersonalizedAds: true });
    const listeners: Readonly<Record<string, (event: SlotEvent) => void>> = {
      rewardedSlotReady: (event) => {
        event.makeRewardedVisible?.();
        events.ready();
      },
      rewardedSlotGranted: () => events.granted(),
      rewardedSlotClosed: () => events.closed(),
      slotRenderEnded: ({ isEmpty }) => {
        if (isEmpty) events.closed();
      },
    };
    const own = Object.entries(listeners).map(([name, run]) => {
      const listener = (event: SlotEvent) => {
        if (event.slot === slot) run(event);
      };
      pubads.addEventListener(name, listener);
      return () => pubads.removeEventListener(name, listener);
    });
    remove = () => {
      for (const end of own) end();
      tag.destroySlots([slot]);
    };
    slot.addService(pubads);
    tag.enableServices();
    tag.display(slot);
  });
  return () => {
    isGone = true;
    remove();
  };
}
