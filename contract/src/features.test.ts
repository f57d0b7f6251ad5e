import { describe, expect, it } from 'vitest';
import { FEATURES, featurePreset } from './feature-presets.ts';
import { featureSwitches } from './features.ts';

describe('the presets of the feature switches', () => {
  it('full switches on everything that is built', () => {
    expect(new Set(Object.values(featurePreset('full')))).toEqual(new Set(['on']));
  });

  it('literal reproduces the observed product: home and menu are ready, album, convert2to3 and store are not', () => {
    const {
      signUp,
      guests,
      shares,
      live,
      friendPictures,
      home,
      menu,
      album,
      convert2to3,
      store,
      announcement,
      addFriend,
      ...others
    } = featurePreset('literal');
    expect([home, menu, signUp, guests, shares, live, friendPictures]).toEqual(Array(7).fill('on'));
    expect([album, convert2to3, store, addFriend]).toEqual(Array(4).fill('in_development'));
    expect(announcement).toBe('off');
    expect(Object.values(others)).not.toContain('on');
  });

  it('are both whole and nothing else is a switch', () => {
    for (const preset of ['full', 'literal'] as const) {
      expect(Object.keys(featurePreset(preset))).toEqual(Object.keys(FEATURES));
      expect(featureSwitches.parse(featurePreset(preset))).toEqual(featurePreset(preset));
    }
    expect(featureSwitches.safeParse({ ...featurePreset('full'), surprise: 'on' }).success).toBe(false);
    expect(featureSwitches.safeParse({ ...featurePreset('full'), home: 'maybe' }).success).toBe(false);
  });

  it('are fresh objects that nobody shares', () => {
    const mine = featurePreset('full');
    mine.home = 'off';
    expect(featurePreset('full').home).toBe('on');
  });
});
