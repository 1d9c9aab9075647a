# Arrays of three and four axes: pixels are the rows. Expected values from numpy.
$ D=tests/data; ood score -s msp,entropy,energy --layout chw $D/pixels_chw.npy
image,y,x,pred,confidence,msp,entropy,energy
0,0,0,2,0.7152682759694339,0.2847317240305661,0.6738273954949076,-3.3350975955161672
0,0,1,0,0.41232668392024324,0.5876733160797567,1.0785006135689872,-1.3859393216927773
0,0,2,1,0.8683831929812078,0.1316168070187922,0.4660763880444063,-2.3411222428549863
0,1,0,1,0.4864145332480156,0.5135854667519844,1.0430548439928038,-1.720694069565996
0,1,1,0,0.48418985050779795,0.515810149492202,0.9929534481959146,-2.2252781960613617
0,1,2,2,0.37557286237530246,0.6244271376246975,1.085257984150417,-1.1043027856552454
$ D=tests/data; ood score -s msp,entropy,energy --layout chw $D/pixels_chw.npy > a
$ D=tests/data; ood score -s msp,entropy,energy --layout hwc $D/pixels_hwc.npy | cmp - a
$ cat tests/data/pixels_hwc.npy | ood score -s msp,entropy,energy --layout hwc - | cmp - a
$ cat tests/data/pixels_chw.npy | ood score -s msp,entropy,energy --layout chw - | cmp - a

# Several images.
$ ood score --layout nchw tests/data/pixels_nchw.npy > n; wc -l < n; sed -n '8,9p' n
13
1,0,0,2,0.37557286237530246,0.6244271376246975
1,0,1,0,0.48418985050779806,0.515810149492202
$ ood score --layout nhwc tests/data/pixels_nhwc.npy | cmp - n
$ ood score --layout nhwc tests/data/pixels_nhwc.npy -f jsonl | sed -n 8p
{"image":1,"y":0,"x":1,"pred":0,"confidence":0.48418985050779806,"msp":0.515810149492202}

# NPY and NPZ keep the image's shape.
$ ood score -s msp --layout chw tests/data/pixels_chw.npy -o m.npy; ood info -f csv m.npy | sed -n 2p
1,,float64,"(2, 3)"
$ ood score -s msp,entropy --layout chw tests/data/pixels_chw.npy -o m2.npy; ood info -f csv m2.npy | sed -n 2p
1,,float64,"(2, 3, 2)"
$ ood score -s msp --layout nchw tests/data/pixels_nchw.npy -o m3.npy; ood info -f csv m3.npy | sed -n 2p
1,,float64,"(2, 2, 3)"
$ ood score -s msp,entropy --layout chw tests/data/pixels_chw.npy -o m.npz; ood info -f csv m.npz
member,name,dtype,size
1,pred,int64,"(2, 3)"
2,confidence,float64,"(2, 3)"
3,scores.msp,float64,"(2, 3)"
4,scores.entropy,float64,"(2, 3)"
$ ood score -s msp --layout hwc tests/data/pixels_hwc.npy -f npy | cmp - m.npy

# Without a layout, or with one that does not fit, the shape is told.
$ ood score tests/data/pixels_chw.npy
ood score: tests/data/pixels_chw.npy: 3-d array of shape (3, 2, 3) where a matrix N x C is wanted (--layout chw, hwc, nchw or nhwc names the axes of pixels; else reshape)
? 3
$ ood score tests/data/pixels_nchw.npy
ood score: tests/data/pixels_nchw.npy: 4-d array of shape (2, 3, 2, 3) where a matrix N x C is wanted (--layout chw, hwc, nchw or nhwc names the axes of pixels; else reshape)
? 3
$ ood score --layout chw tests/data/pixels_nchw.npy
ood score: tests/data/pixels_nchw.npy: 4-d array of shape (2, 3, 2, 3) where three axes are wanted (--layout chw)
? 3
$ ood score --layout nchw tests/data/pixels_chw.npy
ood score: tests/data/pixels_chw.npy: 3-d array of shape (3, 2, 3) where four axes are wanted (--layout nchw)
? 3
$ ood score --layout mnc tests/data/pixels_chw.npy
ood score: layout mnc: members of an ensemble need the scorers mutual-information and expected-entropy, which are not available (average the members first)
? 2
$ ood score --layout cwh tests/data/pixels_chw.npy
ood score: --layout: "cwh" names no axes (nc chw hwc nchw nhwc)
? 2
$ ood score --layout chw tests/data/cases/h01.npy
ood score: tests/data/cases/h01.npy: 2-d array of shape (5, 4) where three axes are wanted (--layout chw)
? 3
$ ood score --layout nc tests/data/cases/h01.npy | wc -l
6
$ cat tests/data/pixels_chw.npy | ood score --layout chw --max-bytes 10 -
ood score: standard input: classes do not stand side by side: 72 bytes have to be held in memory, more than --max-bytes 10 (save it in C order with the classes last, or raise --max-bytes)
? 3
