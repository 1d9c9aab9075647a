# Broken input, one for every way to be wrong: one sentence with the place and
# what to do, exit status 3, nothing written. (cases.t has more.)

# npy HEADER BYTES: an NPY file of version 1.0.
$ printf '%s\n' 'n=$((${#1} + 1))' 'printf "\223NUMPY\001\000\\$(printf %03o $((n % 256)))\\$(printf %03o $((n / 256)))%s\n" "$1"' 'head -c $2 /dev/zero' > npy
$ printf '%s\n' 'sh npy "$1" "$2" > x.npy; ood score x.npy -o out.csv; s=$?; ls out.csv 2> /dev/null && head -n 2 out.csv; rm -f out.csv; exit $s' > try
$ sh try "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }" 8
out.csv
row,pred,confidence,msp
1,0,0.5,0.5

# NPY: other spellings that numpy or other writers give.
$ sh try "{'shape':(1,2),'fortran_order':False,'descr':'<f4'}" 8
out.csv
row,pred,confidence,msp
1,0,0.5,0.5
$ sh try '{"descr": "<f4", "fortran_order": False, "shape": ( 1 , 2, )}' 8
out.csv
row,pred,confidence,msp
1,0,0.5,0.5
$ sh try "{'descr': '=f4', 'fortran_order': True, 'shape': (1L, 2L)}" 8
out.csv
row,pred,confidence,msp
1,0,0.5,0.5
$ sh try "{'descr': '<i8', 'fortran_order': False, 'shape': (1, 2), }" 16
out.csv
row,pred,confidence,msp
1,0,0.5,0.5
$ sh try "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 2), }" 0
out.csv
row,pred,confidence,msp

# NPY: version, header, keys.
$ sh npy "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }" 8 > ok.npy; for v in 0.0 1.1 2.1 4.0; do (head -c 6 ok.npy; printf "\\${v%.*}\\${v#*.}"; tail -c +9 ok.npy) > v.npy; ood score v.npy; done
ood score: v.npy: NPY version 0.0 is not supported (1.0, 2.0 and 3.0 are)
ood score: v.npy: NPY version 1.1 is not supported (1.0, 2.0 and 3.0 are)
ood score: v.npy: NPY version 2.1 is not supported (1.0, 2.0 and 3.0 are)
ood score: v.npy: NPY version 4.0 is not supported (1.0, 2.0 and 3.0 are)
? 3
$ head -c 7 ok.npy > s.npy; ood score s.npy
ood score: s.npy: truncated NPY header: length 8, but the file ends after 7
? 3
$ head -c 30 ok.npy > s.npy; ood score s.npy
ood score: s.npy: truncated NPY header: length 60, but the file ends after 20
? 3
$ sh try "{'descr': '<f4', 'fortran_order': False, 'shape': (2), }" 8
ood score: x.npy: NPY header: shape is not a tuple of integers: (2)
? 3
$ sh try "{'descr': '<f4', 'fortran_order': False, 'shape': 2, }" 8
ood score: x.npy: NPY header: shape is not a tuple of integers: 2
? 3
$ sh try "{'descr': '<f4', 'fortran_order': False, 'shape': [1, 2], }" 8
ood score: x.npy: NPY header: shape is not a tuple of integers: [1, 2]
? 3
$ sh try "{'descr': '<f4', 'fortran_order': False, 'shape': (1.0, 2), }" 8
ood score: x.npy: NPY header: shape is not a tuple of integers: (1.0, 2)
? 3
$ sh try "{'descr': '<f4', 'fortran_order': False, 'shape': ('1', 2), }" 8
ood score: x.npy: NPY header: shape is not a tuple of integers: ('1', 2)
? 3
$ sh try "{'descr': '<f4', 'fortran_order': False, 'shape': (np.int64(1), 2), }" 8
ood score: x.npy: NPY header: shape is not a tuple of integers: (np.int64(1), 2) (numpy 2's open_memmap wrote it so, numpy#28334; load it there and np.save it)
? 3
$ sh try "{'descr': '<f4', 'fortran_order': False, 'shape': (2,621, 401), }" 8
ood score: x.npy: truncated: shape (2, 621, 401) of '<f4' needs 1992168 bytes, 8 are there
? 3
$ sh try "{'descr': '<f4', 'fortran_order': False, 'shape': (-1, 2), }" 8
ood score: x.npy: NPY header: shape (-1, 2) has a negative dimension
? 3
$ sh try "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999, 2), }" 8
ood score: x.npy: NPY header: shape (99999999999999999999, 2) is too large (its size in bytes exceeds 64 bits)
? 3
$ sh try "{'descr': '<f4', 'fortran_order': False, 'shape': (), }" 4
ood score: x.npy: 0-d array of shape () where a matrix N x C is wanted (reshape it)
? 3
$ sh try "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 0), }" 0
ood score: x.npy: array of shape (2, 0) has no columns
? 3
$ sh try "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1, 2), }" 8
ood score: x.npy: 3-d array of shape (1, 1, 2) where a matrix N x C is wanted (--layout chw, hwc, nchw or nhwc names the axes of pixels; else reshape)
? 3
$ sh try "{'descr': '<f4', 'fortran_order': 0, 'shape': (1, 2), }" 8
ood score: x.npy: NPY header: fortran_order is neither True nor False
? 3
$ sh try "{'descr': '<f4', 'fortran_order': 'False', 'shape': (1, 2), }" 8
ood score: x.npy: NPY header: fortran_order is neither True nor False
? 3
$ sh try "{'descr': '<f4', 'shape': (1, 2), }" 8
ood score: x.npy: NPY header: key 'fortran_order' is missing
? 3
$ sh try "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), 'x': 1}" 8
ood score: x.npy: NPY header: unknown key 'x'
? 3
$ sh try "{'descr': '<f4', 'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }" 8
ood score: x.npy: NPY header: key 'descr' is there twice
? 3
$ sh try "{'descr': '<f4', 'fortran_order': False, 'shape': (0x1, 2), }" 8
ood score: x.npy: NPY header: shape is not a tuple of integers: (0x1, 2)
? 3
$ sh try "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), } # comment" 8
ood score: x.npy: NPY header: unexpected byte "#" where its end is expected
? 3
$ sh try "hello" 8
ood score: x.npy: NPY header: unexpected byte "h" where '{' is expected
? 3

# NPY: types.
$ for d in '<c8' '<c16' '<f16' '<M8[s]' '<m8[ns]' '|V1' '<f1' 'bfloat16' 'float32' '<ixy' '<U8'; do sh try "{'descr': '$d', 'fortran_order': False, 'shape': (1, 2), }" 64; done
ood score: x.npy: dtype '<c8': complex64 is not a real number
ood score: x.npy: dtype '<c16': complex128 is not a real number
ood score: x.npy: dtype '<f16': long double, which differs by machine (save x.astype("float64"))
ood score: x.npy: dtype '<M8[s]': datetime64 is not a number
ood score: x.npy: dtype '<m8[ns]': timedelta64 is not a number
ood score: x.npy: dtype '|V1': raw 1-byte void elements, probably float8 (save x.astype("float32"))
ood score: x.npy: dtype '<f1': float8, which NumPy does not have (save x.astype("float32"))
ood score: x.npy: dtype 'bfloat16': bfloat16 has no NumPy type; save t.float().numpy() or x.astype("float32")
ood score: x.npy: dtype 'float32': not known (read are f2 f4 f8, i1 i2 i4 i8, u1 u2 u4 u8, b1, U and S, as in '<f4')
ood score: x.npy: dtype '<ixy': not known (read are f2 f4 f8, i1 i2 i4 i8, u1 u2 u4 u8, b1, U and S, as in '<f4')
ood score: x.npy: strings of dtype '<U8' where numbers are wanted (they may be labels)
? 3
$ sh try "{'descr': '|b1', 'fortran_order': False, 'shape': (1, 2), }" 2
ood score: x.npy: booleans of dtype '|b1' where numbers are wanted (they may be labels; else save x.astype("float32"))
? 3
$ sh try "{'descr': '|S8', 'fortran_order': False, 'shape': (1, 2), }" 16
ood score: x.npy: strings of dtype '|S8' where numbers are wanted (they may be labels)
? 3
$ sh try "{'descr': ('<f4', (2,)), 'fortran_order': False, 'shape': (1, 2), }" 16
ood score: x.npy: subarray dtype; save it as a plain array
? 3

# NPY: sizes.
$ sh try "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }" 7
ood score: x.npy: truncated: shape (1, 2) of '<f4' needs 8 bytes, 7 are there
? 3
$ sh try "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }" 9
ood score: x.npy: 1 bytes after the array
? 3
$ cat ok.npy ok.npy > two.npy; ood score two.npy
ood score: two.npy: 78 bytes after the array (another array starts there)
? 3
$ cat ok.npy ok.npy | ood score -
ood score: standard input: bytes after the array (another array starts there)
? 3
$ sh try "{'descr': '<f8', 'fortran_order': False, 'shape': (137438953472, 1), }" 64
ood score: x.npy: truncated: shape (137438953472, 1) of '<f8' needs 1099511627776 bytes, 64 are there
? 3
$ sh npy "{'descr': '<f8', 'fortran_order': False, 'shape': (137438953472, 1), }" 64 | ood score -
ood score: standard input: truncated: shape (137438953472, 1) of '<f8' needs 1099511627776 bytes, 64 are there
? 3

# NPZ: accepted, and refused.
$ for f in streamed zip64 beside; do ood score tests/data/npz_$f.npz | sed 1d; done
1,1,0.7310585786300049,0.26894142136999516
2,0,0.8807970779778823,0.11920292202211755
1,1,0.7310585786300049,0.26894142136999516
2,0,0.8807970779778823,0.11920292202211755
1,1,0.7310585786300049,0.26894142136999516
2,0,0.8807970779778823,0.11920292202211755
$ for f in method encrypted twice names offset; do ood score tests/data/npz_$f.npz; done
ood score: tests/data/npz_method.npz[logits]: compressed by method 12 (bzip2); stored and deflated members are read (np.savez, np.savez_compressed)
ood score: tests/data/npz_encrypted.npz[logits]: encrypted member
ood score: tests/data/npz_twice.npz: two members are named logits.npy
ood score: tests/data/npz_names.npz: it is not clear which array to take: PATH:MEMBER tells (there are ../a\x1B[31m float32 (2, 2), b float32 (2, 2))
ood score: tests/data/npz_offset.npz: corrupt ZIP archive: member logits.npy lies outside the file
? 3
$ head -c 500 tests/data/cases/h17.npz > cut.npz; ood score cut.npz:logits
ood score: cut.npz: corrupt ZIP archive: truncated, its directory is missing
? 3
$ tail -c +2 tests/data/cases/h17.npz > shift.npz; ood score shift.npz:logits
ood score: shift.npz:1:1: NUL byte in a cell (binary data, or UTF-16: re-save as UTF-8)
? 3
$ cat tests/data/cases/h17.npz | ood score -s msp -f csv -- -:logits | wc -l
4
$ cat tests/data/cases/h17.npz | ood score --max-bytes 100 -- -:logits
ood score: standard input: NPZ needs a file: in a pipe or gzip it is held in memory, and exceeds --max-bytes 100
? 3
$ ood score tests/data/excel.xlsx
ood score: tests/data/excel.xlsx: Excel file: not read (save it as CSV UTF-8)
? 3

# gzip.
$ printf '1,2\n3,1\n' | gzip -c > g.gz; (cat g.gz; head -c 100 /dev/zero) > zeros.gz; ood score zeros.gz | wc -l
3
$ (cat g.gz; echo junk) > junk.gz; ood score junk.gz
ood score: junk.gz: bytes that are not gzip after the end of the gzip data (at byte 29)
? 3
$ n=$(($(wc -c < g.gz) - 8)); (head -c $n g.gz; printf '\0\0\0\0'; tail -c 4 g.gz) > crc.gz; ood score crc.gz
ood score: crc.gz: corrupt gzip data: incorrect data check (CRC mismatch)
? 3
$ n=$(($(wc -c < g.gz) - 4)); (head -c $n g.gz; printf '\1\0\0\0') > len.gz; ood score len.gz
ood score: len.gz: corrupt gzip data: incorrect length check
? 3
$ gzip -c g.gz > gg.gz; ood score gg.gz
ood score: gg.gz: gzip inside gzip (gunzip it once)
? 3
$ printf '\037' > one.gz; ood score one.gz
ood score: one.gz: truncated gzip data: the file ends after one byte
? 3
$ : > empty.gz; ood score empty.gz
ood score: empty.gz: is empty
? 3
$ gzip -c empty.gz > e.gz; ood score e.gz
ood score: e.gz: is empty
? 3
$ gzip -c tests/data/cases/h01.npy > h.gz; ood score h.gz | wc -l
6
$ for m in '(\265/\375' '\3757zXZ' 'BZh91AY&SY'; do printf "$m" > z; head -c 60 /dev/zero >> z; ood score z; done
ood score: z: zstd-compressed: decompress it first (zstd -dc F | ood ...)
ood score: z: xz-compressed: decompress it first (xz -dc F | ood ...)
ood score: z: bzip2-compressed: decompress it first (bzip2 -dc F | ood ...)
? 3

# CSV.
$ printf ',0,1\n0,1,2\n' | ood score -
ood score: standard input:1:1: column 1 has no name, as when row numbers are saved (--id-column '#1' takes it as ids; pandas leaves it out with index=False)
? 3
$ printf '"","a","b"\n"1",1e+05,2\n' | ood score -
ood score: standard input:1:1: column 1 has no name, as when row numbers are saved (--id-column '#1' takes it as ids; pandas leaves it out with index=False)
? 3
$ printf '"","a","b"\n"1",1e+05,2\n' | ood score --id-column '#1' -
id,pred,confidence,msp
1,0,1,0
$ printf '1;2,5\n' | ood score --header no -
ood score: standard input:1: looks like ';' with decimal comma (--delimiter semicolon --decimal comma)
? 3
$ printf '1\t2\n3\t4\n' | ood score -
ood score: standard input:1: line has tabs and no comma (--delimiter tab)
? 3
$ printf '1|2\n3|4\n' | ood score -
ood score: standard input:1: line has '|' and no comma (--delimiter '|')
? 3
$ printf '1 2\n3 4\n' | ood score -
ood score: standard input:1: 2 numbers between blanks and no comma (--delimiter space)
? 3
$ printf '\377\376a\0,\0b\0' | ood score -
ood score: standard input: UTF-16 text: re-save it as UTF-8
? 3
$ printf 'a,b\r1,2\r' | ood score -
row,pred,confidence,msp
1,1,0.7310585786300049,0.26894142136999516
$ printf '"1","2"\n"3","4"\n' | ood score - | wc -l
3
$ printf '1,2\n\n\n3,x\n' | ood score --header no -
ood score: standard input:4:2: expected a number, found "x" (--missing x --nan skip drops such rows)
? 3
$ printf '1,2\n3,4,5\n' | ood score -
ood score: standard input:2: expected 2 fields as in line 1, found 3
? 3
$ printf 'a,b,\n1,2,\n' | ood score -
ood score: standard input:1:3: the last column has no name and is empty: each line ends in a delimiter (--columns names those to use)
? 3
$ printf '"a\nb",c\n1,x\n' | ood score -
ood score: standard input:3:2: expected a number, found "x" in a column of text (--columns names those to use)
? 3
$ printf '1,"2"3\n' | ood score --header no -
ood score: standard input:1:2: text after the closing quote of a cell (a quote inside a cell is doubled)
? 3
$ printf '1,2\n3,"4\n5,6\n' | ood score -
ood score: standard input:2:2: quote opened here is never closed
? 3
$ for c in '' NA N/A null None - 1e400 0x1p3 1_000 '"1,234.5"' 1.5f 12% '1.5 2.5' --1 1e . e5 infinit; do printf '1,%s\n' "$c" | ood score --header no -; done
ood score: standard input:1:2: expected a number, found an empty cell (--missing usual --nan skip drops such rows)
ood score: standard input:1:2: expected a number, found "NA" (--missing NA --nan skip drops such rows)
ood score: standard input:1:2: expected a number, found "N/A" (--missing N/A --nan skip drops such rows)
ood score: standard input:1:2: expected a number, found "null" (--missing null --nan skip drops such rows)
ood score: standard input:1:2: expected a number, found "None" (--missing None --nan skip drops such rows)
ood score: standard input:1:2: expected a number, found "-" (--missing - --nan skip drops such rows)
ood score: standard input:1:2: "1e400" is larger than a double can hold
ood score: standard input:1:2: expected a number, found "0x1p3" in a column of text (--columns names those to use)
ood score: standard input:1:2: expected a number, found "1_000" in a column of text (--columns names those to use)
ood score: standard input:1:2: expected a number, found "1,234.5" in a column of text (--columns names those to use)
ood score: standard input:1:2: expected a number, found "1.5f" in a column of text (--columns names those to use)
ood score: standard input:1:2: expected a number, found "12%" in a column of text (--columns names those to use)
ood score: standard input:1:2: expected a number, found "1.5 2.5" in a column of text (--columns names those to use)
ood score: standard input:1:2: expected a number, found "--1" in a column of text (--columns names those to use)
ood score: standard input:1:2: expected a number, found "1e" in a column of text (--columns names those to use)
ood score: standard input:1:2: expected a number, found "." in a column of text (--columns names those to use)
ood score: standard input:1:2: expected a number, found "e5" in a column of text (--columns names those to use)
ood score: standard input:1:2: expected a number, found "infinit" in a column of text (--columns names those to use)
? 3
$ for c in +1.5 .5 5. 1E+2 '" 3 "' -0 0012 1e-400 inf -Infinity; do printf '1,%s\n' "$c" | ood score --header no -s maxlogit - 2>&1 | sed 1d; done
1,1,0.6224593312018546,-1.5
1,0,0.6224593312018546,-1
1,1,0.9820137900379085,-5
1,1,1,-100
1,1,0.8807970779778823,-3
1,0,0.7310585786300049,-1
1,1,0.999983298578152,-12
1,0,0.7310585786300049,-1
1,0,1,-1
$ printf '1,2\033[31m\n' | ood score --header no -
ood score: standard input:1:2: expected a number, found "2\x1B[31m" in a column of text (--columns names those to use)
? 3
$ printf 'a,a,b\n1,2,3\n' | ood score --columns a,b -
ood score: standard input: the name "a" is there twice (#N takes one by position)
? 3
$ printf 'id,a,b\n' | ood score -
id,pred,confidence,msp
$ printf '\n\n  \n' | ood score -
ood score: standard input: is empty (blank)
? 3
$ printf '1,2\n3,4' | ood score - | wc -l
3

# JSON.
$ for j in '[[1,2],[3]]' '[[1,"2"]]' '[[1,null]]' '[[01,2]]' '[[1.,2]]' '[[1e,2]]' '[[+1,2]]' '[[.5,2]]' '[[1,2],]' '[[1,2,]]' '[[1,2]] x' '[[1,2]' '[[1,1e999]]' '[[1,nan]]' '[[1,NaN]]' '[[1,Infinity]]' '[[-Infinity,-Infinity]]' '[[]]' '{}' '{"a":{"0":1,"1":2}}' '{"logits":[[1,2]],"logits":[[1,2]]}' '[[1,2],3]' '[[true,false]]' '{"logits":[[1,2],[3,4]],"labels":[0]}'; do \
>     printf '%s' "$j" | ood score - || continue; echo "taken: $j"; done
ood score: standard input: row 2: 1 value in the row, expected 2 as in the first
ood score: standard input: row 1, column 2: expected a number, found the string "2" (write numbers without quotes)
ood score: standard input: row 1, column 2: expected a number, found null (--missing null reads it as NaN)
ood score: standard input:1:3: unexpected '01', expected a number (JSON numbers are like -1.5 or 2e-3)
ood score: standard input:1:3: unexpected '1.', expected a number (JSON numbers are like -1.5 or 2e-3)
ood score: standard input:1:3: unexpected '1e', expected a number (JSON numbers are like -1.5 or 2e-3)
ood score: standard input:1:3: unexpected '+1', expected a value (JSON numbers are like -1.5 or 2e-3)
ood score: standard input:1:3: unexpected '.5', expected a value (JSON numbers are like -1.5 or 2e-3)
ood score: standard input:1:7: trailing comma before ']'
ood score: standard input:1:6: trailing comma before ']'
ood score: standard input:1:9: unexpected text after the value
ood score: standard input:1:7: the value ends too early, expected ',' or ']' (cut file?)
ood score: standard input:1:5: number 1e999 is too large for a double
ood score: standard input:1:5: unexpected 'nan', expected a value
ood score: standard input: row 1, column 2: NaN (--nan skip drops such rows)
ood score: standard input: row 1, column 2: inf, as after an overflow of half floats (--nan skip drops such rows)
ood score: standard input: row 1: all values are -inf: no class has any weight (--nan skip drops such rows)
ood score: standard input: row 1: an empty list of numbers
ood score: standard input: it is not clear which array to take: PATH:MEMBER tells (there are none)
ood score: standard input: an object of objects, as pandas writes with orient='columns' or 'index' (use orient='records' or 'split')
ood score: standard input:1:19: key "logits" occurs twice
ood score: standard input: row 2: expected a list of 2 values as in the first row, found one without brackets
ood score: standard input: row 1, column 1: expected a number, found true
ood score: standard input: logits has 2 rows, labels has 1
$ printf "[['1',2]]" | ood score -
ood score: standard input:1:3: unexpected ''', expected a value (JSON quotes with ")
? 3
$ printf '[1,2]' | ood score -
ood score: standard input: ...
? 3
$ printf '[1,[2]]' | ood score -
ood score: standard input: ...
? 3
$ printf '[]' | ood score -
row,pred,confidence,msp
$ printf '[[1,2]]\n[[3,4]]\n' | ood score -
ood score: standard input:2:1: another value after the end of the first (looks like JSON Lines, where each line is a whole value)
? 3
$ printf '{"logits":[1,2]}\n{"logits":[1,2],}\n' | ood score -
ood score: standard input:2:16: trailing comma before '}'
? 3
$ printf '{"logits":[1,2]}\n{"logit":[1,2]}\n' | ood score -
ood score: standard input:2:1: no key "logits" in this object
? 3
$ printf '{"id":"a\\u0000","logits":[1,2]}\n{"id":"b","logits":[1,2]}\n' | ood score -
ood score: standard input:1:9: \u0000 in a string
? 3
$ printf '{"id":"\\ud800","logits":[1,2]}\n{"id":"b","logits":[1,2]}\n' | ood score -
ood score: standard input:1:8: lone surrogate \uD800 in a string
? 3
$ printf '{"id":"\377","logits":[1,2]}\n{"id":"b","logits":[1,2]}\n' | ood score -
ood score: standard input:1:8: byte 0xFF is not UTF-8 (re-save the file as UTF-8)
? 3
$ printf '\357\273\277{"logits":[1,2]}\r\n\r\n{"logits":[2,1]}' | ood score - | wc -l
3
$ head -c 20000 /dev/zero | tr '\0' '1' | sed 's/^/[[/; s/$/,2]]/' | ood score -
ood score: standard input:1:3: a number longer than 1 KiB
? 3

# Values.
$ printf '1,inf\n' | ood score --header no -
ood score: standard input:1:2: inf, as after an overflow of half floats (--nan skip drops such rows)
? 3
$ printf '1,nan\n' | ood score --header no -
ood score: standard input:1:2: NaN (--nan skip drops such rows)
? 3
$ printf -- '-inf,-inf\n' | ood score --header no -
ood score: standard input:1: all values are -inf: no class has any weight (--nan skip drops such rows)
? 3
$ printf '1e308,-1e308\n' | ood score --header no -s msp,entropy,energy -
row,pred,confidence,msp,entropy,energy
1,0,1,0,0,-1e308
$ printf '50,50\n' | ood score --header no --as probs -
ood score: standard input:1:1: 50 is not a probability, which is from 0 to 1 (--as logits if these are logits)
? 3
$ printf '0.5,0.4\n' | ood score --header no --as probs -
ood score: standard input:1: the probabilities sum to 0.9, not to 1 (--prob-tol allows more, --renormalise divides by the sum)
? 3
$ printf '1.0000005,-0.0000005\n' | ood score --header no --as probs - | sed 1d
1,0,1.0000005,-5e-7
$ printf '1.00001,-0.00001\n' | ood score --header no --as probs -
ood score: standard input:1:1: 1.00001 is not a probability, which is from 0 to 1 (--as logits if these are logits)
? 3
$ printf 'nan,1\n' | ood score --header no --as probs -
ood score: standard input:1:1: NaN (--nan skip drops such rows)
? 3
$ printf '2,1\n' | ood score --header no --as logprobs -
ood score: standard input:1:1: 2 is not a log-probability, which is at most 0 (--as logits if these are logits)
? 3
$ printf -- '-0.5,-3\n' | ood score --header no --as logprobs -
ood score: standard input:1: the log-probabilities are those of probabilities that sum to 0.6563177280804974, not to 1, as in a top-k list (--renormalise divides by the sum, --prob-tol allows more)
? 3

# Labels, counts of rows.
$ printf '1,2\n3,4\n' > z.csv; printf '0\n1\n1\n' > l3.csv; ood score logits=z.csv,labels=l3.csv
ood score: z.csv: 2 rows, but l3.csv has 3; the arrays of a set go row by row
? 3
$ ood score logits=tests/data/cases/h01.npy,labels=l3.csv
ood score: tests/data/cases/h01.npy: 5 rows, but l3.csv has 3; the arrays of a set go row by row
? 3
$ printf '0\n0.5\n' > l2.csv; ood score logits=z.csv,labels=l2.csv
ood score: l2.csv:2:1: label "0.5" is not an integer
? 3
$ printf '0\nx\n' > lx.csv; ood score --header no logits=z.csv,labels=lx.csv
ood score: lx.csv:1:1: labels are names, and nothing says which of the 2 columns is which (sort the names into the order of the columns: --classes x)
? 3
$ ood eval --id logits=z.csv,labels=l3.csv
ood eval: z.csv: 2 rows, but l3.csv has 3; the arrays of a set go row by row
? 3
$ printf '0\n5\n' > l5.csv; ood eval --id logits=z.csv,labels=l5.csv
ood eval: l5.csv:2:1: label 5 is out of range: there are 2 classes, counted from 0
? 3
$ printf 's\n1\n' > s.csv; ood eval --as scores --id s.csv --ood tests/data/cases/h08.npy -q --metrics auroc
ood eval: tests/data/cases/h08.npy: its score columns differ from those of the other side (-s chooses columns that both have)
? 3
$ printf 'id,a,b\nx,1,2\nx,1,2\n' | ood score - | wc -l
3
$ printf 'id,y,s\na,1,2\na,0,1\nb,1,3\nc,0,0\n' | ood eval -q --scores - --truth y
ood eval: standard input:3...: ..."a"...
? 3

# An output that was there stands after a refusal.
$ echo old > keep.csv; printf '1,2\n3,x\n' | ood score -o keep.csv - ; cat keep.csv
old
ood score: standard input:2:2: expected a number, found "x" (--missing x --nan skip drops such rows)
$ yes 1,2 | head -n 100000 > big.csv; echo 1,x >> big.csv; ood score -o keep.csv big.csv; cat keep.csv; ls -A | grep -c keep
old
1
ood score: big.csv:100001:2: expected a number, found "x" (--missing x --nan skip drops such rows)
$ ood eval --id z.csv --ood big.csv -f json -o keep.csv; cat keep.csv
old
ood eval: big.csv:100001:2: expected a number, found "x" (--missing x --nan skip drops such rows)
