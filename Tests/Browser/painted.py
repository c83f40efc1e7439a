"""Photos that nobody took: landscapes painted from a seed, for the pictures of the README. The same seed paints the same bytes."""

import math
import random

from PIL import Image, ImageChops, ImageDraw, ImageEnhance, ImageFilter

WIDTH, HEIGHT, PAINTED = 1200, 900, 2  # pixels of a photo, and how many times larger it is painted
W, H = WIDTH * PAINTED, HEIGHT * PAINTED


def noise(dice, columns, rows, octaves=5, size=(W, H)):
    """Clouds from 0 to 255: random dots of several sizes, one over the other (fractal noise)."""
    whole = Image.new("L", size, 128)
    for octave in range(octaves):
        width, height = columns << octave, rows << octave
        dots = Image.frombytes("L", (width, height), dice.randbytes(width * height)).resize(size, Image.Resampling.BICUBIC)
        whole = ImageChops.add(whole, dots.point(lambda value, part=0.625 / 2 ** octave: round((value - 128) * part) + 128), 1, -128)
    return whole


def gradient(*stops, size=(W, H)):
    """Colours from top to bottom: (place from 0 to 1, colour)."""
    column = Image.new("RGB", (1, size[1]))
    for y in range(size[1]):
        at = y / (size[1] - 1)
        above = max((stop for stop in stops if stop[0] <= at), default=stops[0])
        below = min((stop for stop in stops if stop[0] >= at), default=stops[-1])
        part = (at - above[0]) / (below[0] - above[0]) if below[0] > above[0] else 0
        column.putpixel((0, y), tuple(round(a + (b - a) * part) for a, b in zip(above[1], below[1])))
    return column.resize(size)


def ridge(dice, base, height, roughness=0.5, detail=10):
    """The line of a range of hills, by displacing midpoints: a height for each x."""
    points = [dice.uniform(-1, 1) * height for _ in range(5)]
    spread = height
    for _ in range(detail - 2):
        spread *= roughness
        points = [value for left, right in zip(points, points[1:]) for value in (left, (left + right) / 2 + dice.uniform(-1, 1) * spread)] + points[-1:]
    step = W / (len(points) - 1)
    return [(round(index * step), base + value) for index, value in enumerate(points)]


def below(line):
    """A mask of what lies below a line."""
    mask = Image.new("L", (W, H), 0)
    ImageDraw.Draw(mask).polygon([(0, H), *line, (W, H)], fill=255)
    return mask.filter(ImageFilter.GaussianBlur(1.5))


def glow(at, radius, colour, strength):
    """Light around a point, to be added to a picture."""
    small = Image.radial_gradient("L").resize((2 * radius, 2 * radius)).point(lambda value: round(max(0, 1 - value / 180) ** 2.2 * 255 * strength))
    light = Image.new("RGB", (W, H))
    light.paste(Image.new("RGB", small.size, colour), (at[0] - radius, at[1] - radius), small)
    return light


def hill(picture, dice, line, dark, bright, grain=(24, 18), mist=None):
    """Hills below a line: colours by noise, brighter where the noise rises to the light, mist at their feet."""
    rough = noise(dice, *grain)
    slope = ImageChops.subtract(rough, ImageChops.offset(rough, 5, 7), 0.35, 128)
    texture = Image.composite(Image.new("RGB", (W, H), bright), Image.new("RGB", (W, H), dark), slope)
    mask = below(line)
    picture.paste(texture, (0, 0), mask)
    if mist:
        colour, top, bottom = mist
        veil = gradient((0, (0,) * 3), (top / H, (0,) * 3), (bottom / H, (200,) * 3), (1, (200,) * 3)).convert("L")
        picture.paste(Image.new("RGB", (W, H), colour), (0, 0), ImageChops.multiply(veil, mask))
    return picture


def clouds(picture, dice, colour, bottom, amount=118, columns=3, rows=5):
    veil = noise(dice, columns, rows, 7).point(lambda value: max(0, min(255, (value - amount) * 4)))
    fade = gradient((0, (230,) * 3), (bottom / H * 0.7, (190,) * 3), (bottom / H, (0,) * 3), (1, (0,) * 3)).convert("L")
    picture.paste(Image.new("RGB", (W, H), colour), (0, 0), ImageChops.multiply(veil, fade))
    return picture


def water(picture, dice, horizon, tint, depth=0.35, swell=22):
    """Everything below the horizon mirrors what is above it, in waves that grow towards the eye."""
    mirrored = picture.crop((0, max(0, 2 * horizon - H), W, horizon)).transpose(Image.Transpose.FLIP_TOP_BOTTOM)
    mirrored = mirrored.resize((W, H - horizon)).filter(ImageFilter.GaussianBlur(3))
    mirrored = Image.blend(mirrored, gradient((0, tint), (1, tuple(round(part * 0.55) for part in tint)), size=mirrored.size), depth)
    rows = noise(dice, 5, 160, 3, mirrored.size)
    pixels, waved = rows.load(), Image.new("RGB", mirrored.size)
    for y in range(mirrored.height):
        near = (y / mirrored.height) ** 0.8
        shift = round((pixels[W // 2, y] - 128) / 128 * swell * (0.2 + 1.8 * near))
        from_y = max(0, min(mirrored.height - 1, y + round((pixels[W // 3, y] - 128) / 128 * 34 * near)))
        waved.paste(mirrored.crop((0, from_y, W, from_y + 1)), (shift, y))
        if shift:
            edge = mirrored.crop((0, from_y, 1, from_y + 1)) if shift > 0 else mirrored.crop((W - 1, from_y, W, from_y + 1))
            waved.paste(edge.resize((abs(shift), 1)), (0 if shift > 0 else W + shift, y))
    fine = noise(dice, 40, 220, 3, waved.size)
    sparkle = fine.point(lambda value: max(0, min(255, (value - 150) * 5)))
    fade = gradient((0, (30,) * 3), (0.3, (120,) * 3), (1, (70,) * 3), size=waved.size).convert("L")
    waved.paste(ImageEnhance.Brightness(waved).enhance(1.45), (0, 0), ImageChops.multiply(sparkle, fade))
    troughs = fine.point(lambda value: max(0, min(255, (110 - value) * 4)))
    waved.paste(ImageEnhance.Brightness(waved).enhance(0.7), (0, 0), ImageChops.multiply(troughs, fade))
    picture.paste(waved, (0, horizon))
    return picture


def glitter(picture, dice, x, horizon, colour, width=0.16):
    """The path of the sun on water."""
    draw_on = Image.new("RGB", (W, H))
    draw = ImageDraw.Draw(draw_on)
    for _ in range(2600):
        far = dice.random() ** 1.7
        y = horizon + 4 + far * (H - horizon)
        reach = (40 + far * W * width) * dice.gauss(0, 0.6)
        long, thick = (8 + 70 * far) * dice.uniform(0.4, 1.3), 1 + 4.5 * far
        part = dice.uniform(0.25, 1)
        draw.ellipse((x + reach - long, y - thick, x + reach + long, y + thick), fill=tuple(round(c * part) for c in colour))
    return ImageChops.screen(picture, draw_on.filter(ImageFilter.GaussianBlur(2.2)))


def tree(draw, dice, x, foot, tall, colours):
    """A round tree: its trunk, and leaves from the dark ones to those in the light."""
    draw.line((x, foot, x, foot - tall * 0.5), fill=(52, 40, 30), width=max(3, tall // 14))
    for layer, colour in enumerate(colours):
        for _ in range(max(30, tall // 2)):
            turn, out = dice.uniform(0, math.tau), math.sqrt(dice.random()) * tall * (0.36 - 0.06 * layer)
            at = (x + math.cos(turn) * out - layer * tall * 0.05, foot - tall * 0.66 + math.sin(turn) * out * 0.9 - layer * tall * 0.05)
            r = tall * dice.uniform(0.02, 0.05)
            shade = tuple(round(c * dice.uniform(0.85, 1.12)) for c in colour)
            draw.ellipse((at[0] - r, at[1] - r, at[0] + r, at[1] + r), fill=shade)


def house(draw, dice, x, foot, wide, tall, wall, roof, lights=False):
    """A house from the front: wall with a shaded edge, tiled roof, windows with frames and shutters."""
    shade = tuple(round(c * 0.8) for c in wall)
    draw.rectangle((x, foot - tall, x + wide, foot), fill=wall)
    draw.rectangle((x + wide * 0.86, foot - tall, x + wide, foot), fill=shade)
    rise = wide * dice.uniform(0.16, 0.24)
    eaves = wide * 0.05
    draw.polygon([(x - eaves, foot - tall), (x + wide * 0.18, foot - tall - rise), (x + wide * 0.82, foot - tall - rise),
                  (x + wide + eaves, foot - tall)], fill=roof)
    for row in range(1, 9):
        y = foot - tall - rise * row / 9
        inset = wide * 0.23 * row / 9
        draw.line((x - eaves + inset, y, x + wide + eaves - inset, y), fill=tuple(round(c * dice.uniform(0.78, 0.92)) for c in roof), width=3)
    draw.rectangle((x, foot - tall, x + wide, foot - tall + 10), fill=tuple(round(c * 0.66) for c in wall))
    columns, floors = max(2, round(wide / 150)), max(1, round(tall / 165))
    shutters = dice.choice([(58, 92, 74), (64, 96, 132), (120, 70, 52), (88, 84, 78)])
    for floor in range(floors):
        for column in range(columns):
            at = x + wide * 0.9 * (column + 0.5) / columns, foot - tall + tall * (floor + 0.5) / floors
            w, h = wide / columns * 0.11, tall / floors * 0.24
            glass = (255, 214, 140) if lights and dice.random() < 0.6 else dice.choice([(64, 78, 92), (84, 104, 122), (48, 58, 70)])
            draw.rectangle((at[0] - w - 6, at[1] - h - 6, at[0] + w + 6, at[1] + h + 6), fill=(246, 240, 230))
            draw.rectangle((at[0] - w, at[1] - h, at[0] + w, at[1] + h), fill=glass)
            draw.line((at[0], at[1] - h, at[0], at[1] + h), fill=(240, 234, 224), width=5)
            for side in (-1, 1):
                edge, out = at[0] + side * (w + 6), at[0] + side * (w * 1.9 + 6)
                draw.rectangle((min(edge, out), at[1] - h, max(edge, out), at[1] + h), fill=shutters)
            draw.rectangle((at[0] - w - 14, at[1] + h + 6, at[0] + w + 14, at[1] + h + 14), fill=shade)


def developed(picture, dice, warmth=1.0, contrast=1.08):
    """As a camera gives it: smaller, a little grain, darker corners."""
    picture = picture.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
    grain = Image.frombytes("L", (WIDTH, HEIGHT), dice.randbytes(WIDTH * HEIGHT)).filter(ImageFilter.GaussianBlur(0.8))
    picture = ImageChops.add(picture, Image.merge("RGB", [grain.point(lambda value: round((value - 128) / 11) + 128)] * 3), 1, -128)
    corners = Image.radial_gradient("L").resize((WIDTH * 3 // 2, HEIGHT * 3 // 2)).crop(
        (WIDTH // 4, HEIGHT // 4, WIDTH * 5 // 4, HEIGHT * 5 // 4)).point(lambda value: 255 - round((value / 255) ** 2 * 80))
    picture = ImageChops.multiply(picture, Image.merge("RGB", [corners] * 3))
    red, green, blue = picture.split()
    picture = Image.merge("RGB", (red.point(lambda value: min(255, round(value * warmth))), green, blue.point(lambda value: round(value / warmth))))
    return ImageEnhance.Contrast(picture).enhance(contrast)


def river(dice):
    """A wide river at sunset, seen over the wall of a terrace."""
    horizon = round(H * 0.5)
    picture = gradient((0, (72, 104, 158)), (0.26, (196, 158, 166)), (0.42, (252, 190, 122)), (0.5, (255, 222, 160)), (1, (255, 222, 160)))
    picture = clouds(picture, dice, (255, 176, 140), horizon, 120, 2, 9)
    sun = (round(W * 0.62), round(H * 0.40))
    picture = ImageChops.screen(ImageChops.screen(picture, glow(sun, 900, (255, 170, 90), 0.8)), glow(sun, 170, (255, 246, 214), 1.0))
    hill(picture, dice, ridge(dice, H * 0.44, 60, 0.45), (150, 112, 130), (190, 146, 140))
    hill(picture, dice, ridge(dice, H * 0.475, 34, 0.5), (96, 76, 98), (140, 104, 106))
    picture = water(picture, dice, horizon, (120, 110, 134), 0.25)
    picture = glitter(picture, dice, sun[0], horizon, (255, 206, 130))
    draw = ImageDraw.Draw(picture)
    top = round(H * 0.84)
    draw.rectangle((0, top, W, H), fill=(94, 66, 56))
    stones = noise(dice, 40, 16, 3)
    picture.paste(ImageEnhance.Brightness(picture).enhance(1.5), (0, 0), ImageChops.multiply(
        stones.point(lambda value: max(0, min(255, (value - 110) * 3))), below([(0, top + 36), (W, top + 36)])))
    draw.rectangle((0, top, W, top + 34), fill=(196, 150, 118))
    for x, tall in ((0.08, 300), (0.2, 210), (0.9, 330)):
        x = round(W * x)
        for _ in range(130):
            turn, long = dice.uniform(-2.9, -0.25), tall * dice.uniform(0.5, 1)
            tip = (x + math.cos(turn) * long * 0.7, top - 86 + math.sin(turn) * long)
            bend = ((x + tip[0]) / 2, (top - 86 + tip[1]) / 2 - 40)
            shade = dice.choice([(44, 58, 40), (62, 76, 46), (92, 94, 52), (34, 44, 34)])
            draw.line((x, top - 86, *bend, *tip), fill=shade, width=9, joint="curve")
            if dice.random() < 0.25:
                draw.ellipse((tip[0] - 15, tip[1] - 15, tip[0] + 15, tip[1] + 15), fill=dice.choice([(214, 70, 96), (240, 110, 120)]))
        draw.polygon([(x - 92, top - 110), (x + 92, top - 110), (x + 66, top), (x - 66, top)], fill=(176, 92, 62))
    return developed(picture, dice, 1.02)


def roofs(dice):
    """Houses of an old town above each other, under a blue sky."""
    picture = gradient((0, (84, 146, 214)), (0.5, (182, 214, 236)), (1, (210, 228, 238)))
    picture = clouds(picture, dice, (255, 255, 255), round(H * 0.42), 128)
    hill(picture, dice, ridge(dice, H * 0.40, 14, 0.4), (120, 152, 178), (146, 176, 196))
    draw = ImageDraw.Draw(picture)
    walls = [(246, 240, 228), (240, 226, 200), (244, 214, 178), (236, 198, 180), (226, 232, 232), (250, 246, 238), (238, 208, 130)]
    for row in range(6):
        size, foot, x = 1 + row * 0.3, round(H * (0.50 + row * 0.115)), -dice.randint(60, 200)
        while x < W:
            wide, tall = round(dice.randint(190, 300) * size), round(dice.randint(180, 320) * size)
            if dice.random() < 0.2:
                tree(draw, dice, x, foot + 30, round(190 * size), [(40, 70, 40), (66, 100, 52), (104, 134, 70)])
            roof = dice.choice([(190, 96, 62), (204, 112, 72), (176, 84, 56), (212, 124, 86)])
            house(draw, dice, x, foot + dice.randint(-50, 40), wide, tall, dice.choice(walls), roof)
            x += round(wide * dice.uniform(0.88, 1.12))
        picture.paste(Image.blend(picture, Image.new("RGB", (W, H), (206, 222, 232)), (5 - row) * 0.027))
        draw = ImageDraw.Draw(picture)
    sunlight = noise(dice, 5, 4, 4).filter(ImageFilter.GaussianBlur(20))
    picture = ImageChops.multiply(picture, Image.merge("RGB", [sunlight.point(lambda value: min(255, 196 + value // 3))] * 3))
    return developed(ImageChops.screen(picture, glow((round(W * 0.15), 0), 1500, (255, 226, 170), 0.5)), dice, 1.04)


def garden(dice):
    """A manor in the mist of green hills."""
    picture = gradient((0, (140, 184, 216)), (0.4, (232, 236, 226)), (1, (232, 236, 226)))
    picture = clouds(picture, dice, (255, 255, 255), round(H * 0.4), 132)
    for level in range(4):
        part = level / 4
        far, near = (164, 186, 184), (58, 92, 58)
        dark = tuple(round(a + (b - a) * part) for a, b in zip(far, near))
        bright = tuple(min(255, round(c * 1.24)) for c in dark)
        base = H * (0.30 + level * 0.115)
        hill(picture, dice, ridge(dice, base, 130 - level * 16, 0.52), dark, bright, (40, 30), ((226, 232, 224), base, base + H * 0.24))
    draw = ImageDraw.Draw(picture)
    for _ in range(60):
        tree(draw, dice, dice.randint(0, W), round(H * dice.uniform(0.60, 0.68)), dice.randint(130, 250), [(46, 72, 52), (70, 100, 66), (104, 132, 84)])
    house(draw, dice, round(W * 0.34), round(H * 0.72), 760, 420, (242, 222, 176), (172, 88, 60), lights=True)
    house(draw, dice, round(W * 0.30), round(H * 0.72), 240, 560, (248, 232, 192), (164, 80, 56), lights=True)
    hill(picture, dice, ridge(dice, H * 0.73, 18, 0.5), (74, 112, 52), (146, 170, 84), (60, 60))
    draw = ImageDraw.Draw(picture)
    draw.polygon([(W * 0.47, H * 0.725), (W * 0.50, H * 0.725), (W * 0.74, H), (W * 0.40, H)], fill=(214, 196, 158))
    for side in (0.36, 0.30, 0.62, 0.72):
        for step in range(4):
            x = round(W * (side + (step * 0.07 if side > 0.5 else -step * 0.09)))
            tree(draw, dice, x, round(H * (0.76 + step * 0.07)), 170 + step * 90, [(36, 66, 38), (60, 98, 48), (112, 142, 66)])
    for _ in range(900):
        x, y = dice.randint(0, W), round(H * (0.80 + 0.2 * dice.random()))
        if not W * 0.38 < x < W * 0.76:
            r = 3 + 12 * (y / H - 0.78) / 0.22
            draw.ellipse((x - r, y - r, x + r, y + r), fill=dice.choice([(236, 220, 120), (240, 240, 232), (206, 120, 160), (180, 110, 190)]))
    return developed(ImageChops.screen(picture, glow((round(W * 0.8), round(H * 0.1)), 1500, (255, 238, 190), 0.55)), dice, 1.03)


def surf(dice):
    """Waves that run up a beach below cliffs."""
    horizon = round(H * 0.36)
    picture = gradient((0, (70, 138, 204)), (0.36, (206, 226, 234)), (1, (206, 226, 234)))
    picture = clouds(picture, dice, (255, 255, 255), horizon, 126, 3, 6)
    sea = gradient((0, (36, 92, 138)), (0.5, (40, 138, 160)), (0.8, (112, 190, 184)), (1, (170, 210, 196)), size=(W, H - horizon))
    ripples = noise(dice, 14, 170, 4, sea.size)
    sea = ImageChops.add(sea, Image.merge("RGB", [ripples.point(lambda value: round((value - 128) / 3.4) + 128)] * 3), 1, -128)
    picture.paste(sea, (0, horizon))
    foam = noise(dice, 60, 60, 4)
    for place, thick in ((0.44, 14), (0.50, 26), (0.575, 44), (0.665, 66), (0.76, 90)):
        line = ridge(dice, H * place, thick * 0.55, 0.45)
        band = ImageChops.subtract(below(line), below([(x, y + thick * (1.2 + 0.7 * math.sin(x / 190 + place * 40))) for x, y in line]))
        picture.paste(ImageEnhance.Brightness(picture).enhance(0.72), (0, 0), ImageChops.offset(band, 0, -thick).point(lambda value: value // 2))
        torn = ImageChops.multiply(band, foam.point(lambda value: max(0, min(255, (value - 92) * 5))))
        picture.paste(Image.new("RGB", (W, H), (250, 253, 252)), (0, 0), torn.filter(ImageFilter.GaussianBlur(2)))
    shore = ridge(dice, H * 0.86, 44, 0.42)
    hill(picture, dice, [(x, y - 30) for x, y in shore], (150, 130, 104), (178, 156, 122), (90, 70))
    hill(picture, dice, [(x, y + 30) for x, y in shore], (206, 178, 134), (238, 216, 172), (120, 90))
    edge = ImageChops.subtract(below([(x, y - 46) for x, y in shore]), below([(x, y - 22) for x, y in shore]))
    picture.paste(Image.new("RGB", (W, H), (252, 252, 248)), (0, 0), edge)
    slope = [(x, H * 0.25 + y + max(0, x / W - 0.12) ** 1.3 * H * 0.5) for x, y in ridge(dice, 0, 22, 0.5)]
    headland = [(x, y) for x, y in slope if y < horizon + 26]
    mask = Image.new("L", (W, H), 0)
    ImageDraw.Draw(mask).polygon([(0, horizon + 60), *headland, (headland[-1][0] - 60, horizon + 44)], fill=255)
    folds = noise(dice, 34, 12, 4)
    light = ImageChops.subtract(folds, ImageChops.offset(folds, 9, 3), 0.3, 128)
    rock = Image.composite(Image.new("RGB", (W, H), (214, 178, 132)), Image.new("RGB", (W, H), (132, 106, 88)), light)
    picture.paste(rock, (0, 0), mask)
    grass = ImageChops.multiply(mask, ImageChops.invert(below([(x, y + 60) for x, y in slope])))
    picture.paste(Image.new("RGB", (W, H), (98, 128, 74)), (0, 0), grass)
    draw = ImageDraw.Draw(picture)
    for x, wide in ((0.03, 170), (0.10, 130), (0.155, 150)):
        house(draw, dice, round(W * x), round(H * 0.262), wide, 84, (250, 248, 242), (196, 104, 70))
    for x, lean, colour in ((0.70, 20, (232, 92, 74)), (0.75, -10, (250, 236, 200)), (0.80, 26, (60, 140, 160))):
        board = Image.new("RGBA", (130, 620), (0, 0, 0, 0))
        pen = ImageDraw.Draw(board)
        pen.ellipse((12, 10, 118, 610), fill=(*colour, 255))
        pen.line((65, 20, 65, 600), fill=(255, 255, 255, 200), width=8)
        board = board.rotate(lean / 2, expand=True, resample=Image.Resampling.BICUBIC)
        picture.paste(board, (round(W * x), round(H * 0.93) - 560), board)
    return developed(picture, dice, 1.02)


def sail(dice):
    """A sailing boat on a river in the evening, before a long bridge."""
    horizon = round(H * 0.60)
    picture = gradient((0, (44, 62, 112)), (0.3, (124, 104, 148)), (0.5, (240, 142, 112)), (0.6, (255, 204, 138)), (1, (255, 204, 138)))
    picture = clouds(picture, dice, (250, 138, 118), horizon, 118, 2, 10)
    sun = (round(W * 0.30), round(H * 0.555))
    picture = ImageChops.screen(ImageChops.screen(picture, glow(sun, 800, (255, 150, 80), 0.85)), glow(sun, 150, (255, 240, 200), 1))
    hill(picture, dice, ridge(dice, H * 0.565, 36, 0.48), (92, 66, 96), (130, 86, 100))
    draw = ImageDraw.Draw(picture)
    steel, deck = (74, 46, 60), round(H * 0.50)
    towers = (round(W * 0.52), round(W * 0.98))
    draw.rectangle((round(W * 0.18), deck, W, deck + 16), fill=steel)
    for x in towers:
        draw.rectangle((x - 15, round(H * 0.27), x + 15, horizon), fill=steel)
    middle, half = sum(towers) / 2, (towers[1] - towers[0]) / 2
    for left, right in ((middle - half, middle + half), (round(W * 0.18), towers[0])):
        cable = []
        for step in range(61):
            x = left + (right - left) * step / 60
            sag = ((step / 30 - 1) ** 2) if left > W * 0.3 else (step / 60) ** 1.7
            cable.append((x, deck - 12 - sag * (deck - H * 0.275)))
            draw.line((x, cable[-1][1], x, deck), fill=(98, 62, 74), width=3)
        draw.line(cable, fill=steel, width=9)
    boat_x, foot = round(W * 0.64), horizon + 12
    draw.polygon([(boat_x - 250, foot - 70), (boat_x + 270, foot - 84), (boat_x + 200, foot), (boat_x - 200, foot)], fill=(70, 40, 44))
    draw.polygon([(boat_x - 250, foot - 70), (boat_x + 270, foot - 84), (boat_x + 262, foot - 60), (boat_x - 244, foot - 50)], fill=(244, 236, 226))
    draw.line((boat_x, foot - 70, boat_x, foot - 790), fill=(66, 46, 44), width=12)
    draw.polygon([(boat_x + 14, foot - 770), (boat_x + 14, foot - 120), (boat_x + 300, foot - 120)], fill=(252, 232, 206))
    draw.polygon([(boat_x + 14, foot - 770), (boat_x + 14, foot - 120), (boat_x + 110, foot - 120)], fill=(255, 214, 172))
    draw.polygon([(boat_x - 14, foot - 720), (boat_x - 14, foot - 130), (boat_x - 250, foot - 90)], fill=(255, 244, 228))
    picture = water(picture, dice, horizon + 8, (86, 74, 112), 0.22, 30)
    picture = glitter(picture, dice, sun[0], horizon, (255, 176, 110), 0.12)
    return developed(picture, dice, 1.02)


def lights(dice):
    """A table on an evening: strings of lamps, the far ones out of focus."""
    picture = gradient((0, (22, 26, 52)), (0.5, (58, 44, 62)), (1, (34, 22, 24)))
    for count, size, soft, strength in ((130, 110, 8, 0.3), (60, 70, 3, 0.5)):
        far = Image.new("RGB", (W, H))
        for _ in range(count):
            x, y, r = dice.gauss(W * 0.5, W * 0.34), dice.gauss(H * 0.42, H * 0.16), size * dice.uniform(0.4, 1.1)
            colour = dice.choice([(255, 176, 84), (255, 206, 130), (255, 140, 90), (150, 190, 220), (255, 120, 110)])
            one = Image.new("RGB", (W, H))
            ImageDraw.Draw(one).ellipse((x - r, y - r, x + r, y + r), fill=tuple(round(c * strength * dice.uniform(0.4, 1)) for c in colour))
            far = ImageChops.screen(far, one)
        picture = ImageChops.screen(picture, far.filter(ImageFilter.GaussianBlur(soft)))
    top = round(H * 0.66)
    picture.paste(gradient((0, (128, 80, 48)), (1, (66, 38, 26)), size=(W, H - top)), (0, top))
    wood = noise(dice, 3, 60, 5)
    picture.paste(ImageEnhance.Brightness(picture).enhance(1.5), (0, 0), ImageChops.multiply(
        wood.point(lambda value: max(0, min(255, (value - 118) * 4))), below([(0, top), (W, top)])))
    picture = picture.filter(ImageFilter.GaussianBlur(2))
    draw = ImageDraw.Draw(picture)
    pot = (round(W * 0.5), round(H * 0.80))
    draw.rounded_rectangle((pot[0] - 560, pot[1] - 120, pot[0] + 560, pot[1] + 230), 120, fill=(46, 84, 96))
    draw.rounded_rectangle((pot[0] - 560, pot[1] - 120, pot[0] - 260, pot[1] + 230), 110, fill=(66, 112, 124))
    draw.ellipse((pot[0] - 570, pot[1] - 250, pot[0] + 570, pot[1] + 10), fill=(206, 214, 210))
    draw.ellipse((pot[0] - 540, pot[1] - 232, pot[0] + 540, pot[1] - 8), fill=(52, 38, 34))
    for _ in range(190):
        turn, out = dice.uniform(0, math.tau), math.sqrt(dice.random())
        x, y = pot[0] + math.cos(turn) * out * 470, pot[1] - 135 + math.sin(turn) * out * 92 - (1 - out) * 90
        long, tilt = dice.uniform(46, 74), dice.uniform(0, 180)
        shell = Image.new("RGBA", (170, 170), (0, 0, 0, 0))
        pen = ImageDraw.Draw(shell)
        pen.ellipse((85 - long, 55, 85 + long, 115), fill=(30, 32, 52, 255))
        pen.ellipse((85 - long * 0.9, 60, 85 + long * 0.8, 96), fill=(74, 80, 112, 255))
        if dice.random() < 0.55:
            pen.ellipse((85 - long * 0.8, 64, 85 + long * 0.74, 108), fill=(226, 214, 208, 255))
            pen.ellipse((85 - long * 0.5, 72, 85 + long * 0.44, 102), fill=dice.choice([(242, 160, 74, 255), (250, 186, 104, 255)]))
        shell = shell.rotate(tilt, resample=Image.Resampling.BICUBIC)
        picture.paste(shell, (round(x - 85), round(y - 85)), shell)
    for _ in range(90):
        turn, out = dice.uniform(0, math.tau), math.sqrt(dice.random())
        x, y = pot[0] + math.cos(turn) * out * 450, pot[1] - 150 + math.sin(turn) * out * 90
        draw.ellipse((x - 9, y - 6, x + 9, y + 6), fill=dice.choice([(96, 150, 70), (130, 176, 86)]))
    for row, sag in ((0.10, 240), (0.20, 320)):
        line = [(x, H * row + sag * (1 - (2 * x / W - 1) ** 2)) for x in range(0, W + 1, 20)]
        draw.line(line, fill=(20, 16, 20), width=6)
        for x, y in line[4::9]:
            picture = ImageChops.screen(picture, glow((x, round(y) + 34), 190, (255, 190, 100), 0.9))
            draw = ImageDraw.Draw(picture)
            draw.ellipse((x - 20, y + 8, x + 20, y + 58), fill=(255, 236, 190))
    return developed(picture, dice, 1.04)


PHOTOS = {"river": river, "roofs": roofs, "garden": garden, "surf": surf, "sail": sail, "lights": lights}


def paint(name, path, quality=86):
    PHOTOS[name](random.Random(name)).save(path, quality=quality)
    return path
